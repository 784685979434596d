import express, { type Request, type Response } from 'express'
import { HttpError } from '#shared/runtime/http-errors.ts'

const MOST_BYTES = 256 * 1_024
const raw = express.raw({ type: () => true, limit: MOST_BYTES, inflate: false })

/** The body of a request of any type, empty without one; throws 413 or 400 in the words of incoming hooks. */
export async function readBytes(req: Request, res: Response): Promise<Buffer> {
  await new Promise<void>((resolve, reject) => {
    raw(req, res, (err?: unknown) => {
      if (err === undefined) return resolve()
      const isTooLarge = (err as { status?: number }).status === 413
      reject(isTooLarge ? new HttpError(413, 'payload_too_large') : new HttpError(400, 'invalid_payload'))
    })
  })
  return Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0)
}
