import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { bucketAddress } from '#shared/runtime/bucket-address.ts'
import { ConfigurationError } from '#shared/runtime/config.ts'
import { Bucket } from '#shared/stores/bucket.ts'
import { type Finding, fault, good, ofFault, whyNot } from './finding.ts'

/** A failed attempt is not repeated, and is no outage of a process. */
const ONCE = { attempts: 1, repeatedWithin: 0, outage: undefined }

/** A bucket: there, and the keys may list, store, read and remove. */
export async function examineBucket(part: string, address: string): Promise<Finding | Finding[]> {
  try {
    const { bucket: name, prefix } = bucketAddress(address)
    const bucket = new Bucket(address, ONCE)
    await bucket.check()
    const key = `doctor-${randomUUID()}`
    const sent = Buffer.from(key)
    await bucket.put(key, sent)
    const content = await bucket.read(key)
    const isThere = content !== undefined && (await buffer(content)).equals(sent)
    await bucket.remove(key)
    if (!isThere)
      return fault(part, `the bucket ${name} gives back another content`, 'Look at what is in front of it.')
    return good(part, `the bucket ${name}/${prefix} can be listed, written, read and cleared`)
  } catch (err) {
    if (err instanceof ConfigurationError) return err.details.map(ofFault(part))
    return fault(
      part,
      whyNot(err),
      'Compare address, AWS_ACCESS_KEY_ID and the rights of the key with “Files in a bucket” in docs/operations.md.',
    )
  }
}
