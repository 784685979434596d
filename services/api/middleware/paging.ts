import { Buffer } from 'node:buffer'
import type { Response } from 'express'

/** The field `cursor` of fields.ts reads it. */
export const cursorText = (place: unknown): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/** The cursor of the next page of a list that is a plain array. */
export function tellNext(res: Response, place: unknown): void {
  res.set('X-Next-Cursor', cursorText(place))
}
