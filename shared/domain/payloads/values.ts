/** Values that many payloads have; their types are in `../units.ts`. */
import * as v from 'valibot'

export const wholeNumber = v.pipe(v.number(), v.integer())

export const Seconds = v.pipe(v.number(), v.description('Seconds since the Unix epoch, with a fraction.'))
export const Username = v.string()
export const ChannelId = v.pipe(
  v.string(),
  v.description('`general`; `dm:ada:bob` for a conversation; `private:7` for a private channel.'),
)
