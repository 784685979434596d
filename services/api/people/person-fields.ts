import * as v from 'valibot'
import { ROLES } from '#shared/domain/roles.ts'
import { profileLine } from '../account/profile/profile-fields.ts'
import * as f from '../middleware/fields.ts'

const MOST_CHANNELS = 50
const LONGEST_EMAIL = 254
/** Only its delivery proves an address. */
const EMAIL = /^[\x21-\x3f\x41-\x7e]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/

/** Fields of an account that administrators set. Whether the channels exist is checked later. */
export const PERSON = {
  role: v.exactOptional(
    v.pipe(v.string(f.REQUIRED), v.picklist(ROLES, f.invalid('owner, admin, member or guest'))),
  ),
  channels: f.mayBeNull(
    v.pipe(
      f.list(f.isText, `at most ${MOST_CHANNELS} ids of public channels`, { most: MOST_CHANNELS }),
      v.transform(ids => [...new Set(ids)]),
    ),
  ),
  display_name: profileLine,
  title: profileLine,
  email: f.mayBeNull(
    v.pipe(
      v.string(f.REQUIRED),
      v.transform(text => (text === '' ? null : text.trim())),
      v.nullable(
        v.pipe(
          v.string(),
          v.check(email => email.length <= LONGEST_EMAIL, f.tooLong(LONGEST_EMAIL)),
          v.regex(EMAIL, f.invalid('an address such as ines@example.org')),
        ),
      ),
    ),
  ),
}

export const DELETION = f.fields({
  type: v.pipe(v.string(f.REQUIRED), v.picklist(['soft', 'hard'], f.invalid('soft or hard'))),
})
