import * as v from 'valibot'
import { isName } from '#shared/domain/one-line.ts'
import { isTimeZone } from '#shared/domain/search-dates.ts'
import { LONGEST_DISPLAY_NAME } from '#shared/domain/username.ts'
import * as f from '../../middleware/fields.ts'

/** An optional text of one line; null for an empty one. */
export const profileLine = f.mayBeNull(
  v.pipe(
    v.string(f.REQUIRED),
    v.normalize('NFC'),
    v.trim(),
    v.check(text => text.length <= LONGEST_DISPLAY_NAME, f.tooLong(LONGEST_DISPLAY_NAME)),
    v.check(text => text === '' || isName(text), f.invalid('one line without control characters')),
    v.transform(text => (text === '' ? null : text)),
  ),
)

/** Offsets such as +01:00 are no names. */
const isZoneName = (text: string) => /^[A-Za-z]/.test(text) && isTimeZone(text)

/** The fields of PATCH /me; null removes. */
export const PROFILE = f.fields({
  display_name: profileLine,
  title: profileLine,
  timezone: f.mayBeNull(
    v.pipe(v.string(f.REQUIRED), v.check(isZoneName, f.invalid('an IANA name such as Europe/Berlin'))),
  ),
})
export type ProfileChange = v.InferOutput<typeof PROFILE>
