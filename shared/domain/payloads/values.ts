/** Values that many payloads have; their types are in `../units.ts` and `../roles.ts`. */
import * as v from 'valibot'
import { ROLES } from '../roles.ts'

export const wholeNumber = v.pipe(v.number(), v.integer())

export const Seconds = v.pipe(v.number(), v.description('Seconds since the Unix epoch, with a fraction.'))
export type Seconds = v.InferOutput<typeof Seconds>
export const Username = v.string()
export type Username = v.InferOutput<typeof Username>
export const Role = v.picklist(ROLES)
export type Role = v.InferOutput<typeof Role>
export const ChannelId = v.pipe(
  v.string(),
  v.description('`general`; `dm:ada:bob` for a conversation; `private:7` for a private channel.'),
)
export type ChannelId = v.InferOutput<typeof ChannelId>
