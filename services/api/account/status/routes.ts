import * as v from 'valibot'
import { isReaction } from '#shared/domain/reactions.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { runStatement, unchanged } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { endpoint, nothing } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'

const LONGEST_TEXT = 100
const MINUTE: Seconds = 60
/** A year; a longer status has no end. */
const MOST_MINUTES = 366 * 24 * 60

interface Status {
  emoji: string | null
  text: string | null
  until: Seconds | null
  quiet: boolean
}

const STATUS = f.fields({
  emoji: v.pipe(
    f.text(),
    v.check(emoji => emoji === null || isReaction(emoji), f.invalid('a reaction')),
  ),
  text: f.line(LONGEST_TEXT),
  for_minutes: f.mayBeNull(
    v.pipe(
      f.number,
      v.check(
        minutes => minutes > 0 && minutes <= MOST_MINUTES,
        `invalid: $ must be above 0 and at most ${MOST_MINUTES}`,
      ),
    ),
  ),
  until: f.mayBeNull(f.number),
  quiet: f.flag,
})

/** Interface 15.2. */
export const statusEndpoints = [
  endpoint(
    'PUT /status',
    {
      summary: 'Sets the status of the person.',
      who: 'signed in',
      limit: ['other'],
      body: jsonBody(STATUS),
      answers: { 204: nothing },
      fails: [400],
    },
    async ({ stores, viewer, body: { emoji = null, text = null, quiet = false, ...body } }) => {
      const until = untilIn(body, stores.clock.now())
      if (emoji === null && text === null) throw errors.missing('emoji or text')
      await change(stores, viewer, { emoji, text, until, quiet })
    },
  ),

  endpoint(
    'DELETE /status',
    {
      summary: 'Removes the status of the person.',
      who: 'signed in',
      limit: ['other'],
      answers: { 204: nothing },
    },
    async ({ stores, viewer }) => {
      await change(stores, viewer, { emoji: null, text: null, until: null, quiet: false })
    },
  ),
]

async function change(stores: Stores, viewer: Username, status: Status) {
  await runStatement(stores, 'setStatus', {}, async db =>
    (await setStatus(db, viewer, status)) ? undefined : unchanged,
  )
}

async function setStatus(db: Db, viewer: Username, { emoji, text, until, quiet }: Status): Promise<boolean> {
  const { rowCount } = await db.query(
    `update users
        set status_emoji = $2, status_text = $3, status_until = $4, status_quiet = $5
      where username = $1
        and (status_emoji, status_text, status_until, status_quiet) is distinct from
            ($2::text, $3::text, $4::double precision, $5::boolean)`,
    [viewer, emoji, text, until, quiet],
  )
  return rowCount === 1
}

function untilIn(
  { for_minutes: minutes, until }: Pick<v.InferOutput<typeof STATUS>, 'for_minutes' | 'until'>,
  now: Seconds,
): Seconds | null {
  if (minutes !== undefined && minutes !== null) return now + minutes * MINUTE
  if (until === undefined || until === null) return null
  if (until <= now || until > now + MOST_MINUTES * MINUTE)
    throw errors.invalid('until must be a time within the next year')
  return until
}
