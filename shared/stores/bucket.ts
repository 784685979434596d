import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { load } from 'cheerio/slim'
import pLimit from 'p-limit'
import { Counter } from 'prom-client'
import { Agent, type Dispatcher, request } from 'undici'
import type { Milliseconds, Seconds } from '#shared/domain/units.ts'
import { type BucketAddress, bucketAddress } from '#shared/runtime/bucket-address.ts'
import { type BucketKeys, readBucketKeys } from '#shared/runtime/config.ts'
import type { ByteRange } from './file-store.ts'
import { FilesAway } from './files-away.ts'
import { outages } from './outages.ts'

/** The few requests of S3 that bothy needs (docs/adr/0017). Every one ends: in time, with few sockets, after few attempts. */

const PAUSE: Milliseconds = 150
const LONGEST_PAUSE: Milliseconds = 10_000
const CONNECTS_WITHIN: Milliseconds = 3_000
/** Limit of an attempt: the wait for a socket, the request and the head of its response. */
const ANSWERS_WITHIN: Milliseconds = 8_000
const STORES_WITHIN: Milliseconds = 30_000
/** Without a byte, while somebody reads. */
const SILENCE: Milliseconds = 10_000
/** Responses other than contents. */
const MOST_TEXT = 4 * 1024 * 1024
/** Requests for contents hold their socket while somebody reads; others have sockets of their own. */
const SOCKETS = 32
const SOCKETS_FOR_READERS = 128
/** Larger files are stored in parts of this size, each of which is in memory once. */
const PART = 8 * 1024 * 1024
const PARTS_AT_ONCE = 4
/** S3 takes 10,000 parts an object: with larger ones from here on, 288 GiB. */
const LARGE_FROM = 1_000
const LARGE_PART = 32 * 1024 * 1024
/** S3 copies larger objects only in parts. */
const MOST_COPIED = 5 * 1024 ** 3
const COPIED_PART = 1024 ** 3

const requests = new Counter({
  name: 'bothy_bucket_requests_total',
  help: 'Requests to the bucket of the files, by kind and outcome; each attempt counts.',
  labelNames: ['kind', 'outcome'],
})

const options = {
  connect: { timeout: CONNECTS_WITHIN },
  bodyTimeout: SILENCE,
  headersTimeout: STORES_WITHIN,
  keepAliveTimeout: 4_000,
}
const agents = {
  reading: new Agent({ ...options, connections: SOCKETS_FOR_READERS }),
  others: new Agent({ ...options, connections: SOCKETS }),
}
const inMemory = pLimit(PARTS_AT_ONCE)

export interface StoredObject {
  key: string
  size: number
  ts: Seconds
}

/** Retry policy. */
interface Use {
  attempts: number
  repeatedWithin: Milliseconds
  /** Outages that people notice: requests are counted, and while the store is away there is a single attempt. */
  outage: typeof outages.files | undefined
}

/** A person waits: after a silence, a second one would be too long. */
const FOR_PEOPLE: Use = { attempts: 3, repeatedWithin: 4_000, outage: outages.files }
/** A backup outlasts a restart of the bucket, and its faults are not those of the files. */
export const FOR_BACKUPS: Use = { attempts: 20, repeatedWithin: 120_000, outage: undefined }
/** The janitor at night: a refusal of what a bucket may lack is no outage. */
export const FOR_SWEEPS: Use = { attempts: 3, repeatedWithin: 30_000, outage: undefined }

interface Wanted {
  kind: 'head' | 'read' | 'store' | 'copy' | 'remove' | 'list'
  method: 'HEAD' | 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Within the prefix; empty for the bucket itself. */
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Buffer
  /** Ends all attempts. */
  signal?: AbortSignal | undefined
}

type Answer = Dispatcher.ResponseData

export class Bucket {
  readonly #address: BucketAddress
  readonly #keys: BucketKeys
  readonly #use: Use

  constructor(address: string, use: Use = FOR_PEOPLE, keys: BucketKeys = readBucketKeys()) {
    this.#address = bucketAddress(address)
    this.#use = use
    this.#keys = keys
  }

  /** Throws unless the bucket responds, exists and lets these keys list it. */
  async check(): Promise<void> {
    const query = { 'list-type': '2', 'max-keys': '1', prefix: this.#address.prefix }
    await textOf(this.#found(await this.#attempt({ kind: 'list', method: 'GET', query })))
  }

  async head(key: string): Promise<{ size: number; ts: Seconds } | undefined> {
    const answer = await this.#send({ kind: 'head', method: 'HEAD', key })
    await answer.body.dump()
    if (answer.statusCode === 404) return undefined
    return { size: Number(answer.headers['content-length']), ts: secondsOf(answer.headers['last-modified']) }
  }

  /** The content from the socket: its reader sets the pace. */
  async read(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {}
    const answer = await this.#send({ kind: 'read', method: 'GET', key, headers })
    if (answer.statusCode === 404) {
      const text = await textOf(answer)
      if (/<Code>NoSuchBucket</.test(text)) throw this.#away(new FilesAway('the bucket does not exist'))
      return undefined
    }
    const bytes = Readable.from(this.#contentOf(answer.body), { objectMode: false })
    bytes.once('close', () => answer.body.destroy())
    answer.body.on('error', () => {})
    return bytes
  }

  /** Stores bytes at once. */
  async put(key: string, body: Buffer, signal?: AbortSignal): Promise<void> {
    await dropped(this.#found(await this.#send({ kind: 'store', method: 'PUT', key, body, signal })))
  }

  /** Stores a file: a reader sees all of it or nothing. */
  async putFile(key: string, path: string, signal?: AbortSignal): Promise<void> {
    const file = await open(path, 'r')
    try {
      const { size } = await file.stat()
      const part = (number: number) => async () => {
        const bytes = Buffer.allocUnsafe(Math.min(PART, size - (number - 1) * PART))
        const { bytesRead } = await file.read(bytes, 0, bytes.length, (number - 1) * PART)
        if (bytesRead !== bytes.length) throw new Error(`${path} has become shorter`)
        return bytes
      }
      if (size <= PART) return await this.#inTurn(async () => this.put(key, await part(1)(), signal))
      const parts = Array.from({ length: Math.ceil(size / PART) }, (_, i) => part(i + 1))
      await this.#inParts(key, parts, (query, read) =>
        this.#inTurn(async () =>
          this.#send({ kind: 'store', method: 'PUT', key, query, body: await read(), signal }),
        ),
      )
    } finally {
      await file.close()
    }
  }

  /** Stores a stream of any length, of which a part is in memory: a reader sees all of it or nothing. */
  async putStream(key: string, bytes: AsyncIterable<Buffer>, signal?: AbortSignal): Promise<void> {
    const parts = inPartsOf(bytes)
    const first = await parts.next()
    const second = await parts.next()
    if (second.done) return this.put(key, first.done ? Buffer.alloc(0) : first.value, signal)
    const all = async function* () {
      if (!first.done) yield first.value
      yield second.value
      yield* parts
    }
    await this.#inParts(key, all(), (query, body) =>
      this.#send({ kind: 'store', method: 'PUT', key, query, body, signal }),
    )
  }

  /** Copies within the bucket. False if the source is gone. */
  async copy(from: string, to: string): Promise<boolean> {
    const there = await this.head(from)
    if (!there) return false
    const source = `/${this.#address.bucket}/${encoded(`${this.#address.prefix}${from}`)}`
    const headers = { 'x-amz-copy-source': source }
    if (there.size <= MOST_COPIED) {
      const answer = await this.#send({ kind: 'copy', method: 'PUT', key: to, headers })
      const text = await textOf(answer)
      if (answer.statusCode === 404) return false
      if (/<Error>/.test(text)) throw this.#away(new FilesAway(`copy: ${codeIn(text)}`))
      return true
    }
    const parts = Array.from({ length: Math.ceil(there.size / COPIED_PART) }, (_, i) => {
      const start = i * COPIED_PART
      return `bytes=${start}-${Math.min(start + COPIED_PART, there.size) - 1}`
    })
    await this.#inParts(to, parts, (query, range) =>
      this.#send({
        kind: 'copy',
        method: 'PUT',
        key: to,
        query,
        headers: { ...headers, 'x-amz-copy-source-range': range },
      }),
    )
    return true
  }

  /** Removing what is not there is no fault. */
  async remove(key: string): Promise<void> {
    await dropped(await this.#send({ kind: 'remove', method: 'DELETE', key }))
  }

  /** Objects whose keys begin so, in order; the bucket gives a thousand at a time. */
  async *list(prefix: string): AsyncGenerator<StoredObject> {
    const skipped = this.#address.prefix.length
    let next: string | undefined
    do {
      const page = await this.#page({
        'list-type': '2',
        prefix: `${this.#address.prefix}${prefix}`,
        ...(next === undefined ? {} : { 'continuation-token': next }),
      })
      for (const entry of page('Contents').toArray()) {
        const field = (name: string) => page(entry).children(name).text()
        const ts = secondsOf(field('LastModified'))
        yield { key: field('Key').slice(skipped), size: Number(field('Size')), ts }
      }
      next = page('IsTruncated').text() === 'true' ? page('NextContinuationToken').text() : undefined
    } while (next)
  }

  async #page(query: Record<string, string>) {
    const answer = this.#found(await this.#send({ kind: 'list', method: 'GET', query }))
    return load(await textOf(answer), { xml: true })
  }

  /**
   * Ends the uploads in parts that a killed process left: their parts are in no list of objects, and cost as much.
   * `begun` is NaN where the bucket does not tell it. Returns their number; undefined where the bucket does not tell them.
   */
  async endUploads(isLeft: (key: string, begun: Seconds) => boolean): Promise<number | undefined> {
    const left: { key: string; uploadId: string }[] = []
    let marker: Record<string, string> = {}
    do {
      let page: ReturnType<typeof load>
      try {
        page = await this.#page({ uploads: '', prefix: this.#address.prefix, ...marker })
      } catch (err) {
        if (err instanceof BucketRefusal) return undefined
        throw err
      }
      for (const entry of page('Upload').toArray()) {
        const field = (name: string) => page(entry).children(name).text()
        const key = field('Key').slice(this.#address.prefix.length)
        if (isLeft(key, secondsOf(field('Initiated')))) left.push({ key, uploadId: field('UploadId') })
      }
      marker =
        page('IsTruncated').text() === 'true'
          ? {
              'key-marker': page('NextKeyMarker').text(),
              'upload-id-marker': page('NextUploadIdMarker').text(),
            }
          : {}
    } while (Object.keys(marker).length > 0)
    for (const { key, uploadId } of left) await this.#endUpload(key, uploadId)
    return left.length
  }

  async #endUpload(key: string, uploadId: string): Promise<void> {
    await dropped(await this.#send({ kind: 'remove', method: 'DELETE', key, query: { uploadId } }))
  }

  async #inParts<T>(
    key: string,
    parts: Iterable<T> | AsyncIterable<T>,
    send: (query: Record<string, string>, part: T) => Promise<Answer>,
  ): Promise<void> {
    const begun = this.#found(
      await this.#send({ kind: 'store', method: 'POST', key, query: { uploads: '' } }),
    )
    const uploadId = load(await textOf(begun), { xml: true })('UploadId').text()
    try {
      const tags: string[] = []
      for await (const part of parts) {
        const answer = this.#found(await send({ partNumber: String(tags.length + 1), uploadId }, part))
        const text = await textOf(answer)
        tags.push(String(answer.headers['etag'] ?? load(text, { xml: true })('ETag').text()))
      }
      const list = tags.map((tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
      const body = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`)
      const done = await this.#send({ kind: 'store', method: 'POST', key, query: { uploadId }, body })
      const text = await textOf(done)
      // A repeated request finds no upload; it also fails with the status of success.
      if (done.statusCode !== 404 && !/<Error>/.test(text)) return
      if (!(await this.head(key))) throw this.#away(new FilesAway(`store: ${codeIn(text)}`))
    } catch (err) {
      await this.#endUpload(key, uploadId).catch(() => {})
      throw err
    }
  }

  #found(answer: Answer): Answer {
    if (answer.statusCode !== 404) return answer
    answer.body.dump().catch(() => {})
    throw this.#away(new FilesAway('the bucket does not exist'))
  }

  /** Every request may be repeated: names are new, and contents of a name equal. While the bucket is away, there is a single attempt. */
  async #send(wanted: Wanted): Promise<Answer> {
    const { outage, attempts, repeatedWithin } = this.#use
    outage?.addProbe(this.#probe)
    const began = performance.now()
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(wanted)
      } catch (err) {
        const isLate = performance.now() - began > repeatedWithin
        const isLast = attempt >= attempts || isLate || outage?.isAway || (err as BucketRefusal).isFinal
        if (isLast || wanted.signal?.aborted) throw this.#away(err as FilesAway)
        await pause(Math.min(PAUSE * attempt ** 2, LONGEST_PAUSE) * (1 + Math.random()))
      }
    }
  }

  readonly #probe = () => this.check()

  /** Throws FilesAway for anything but success and 404. */
  async #attempt({
    kind,
    method,
    key = '',
    query = {},
    headers = {},
    body,
    signal,
  }: Wanted): Promise<Answer> {
    const url = new URL(this.#address.url)
    if (key !== '') url.pathname += encoded(`${this.#address.prefix}${key}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const hash = createHash('sha256')
      .update(body ?? '')
      .digest('hex')
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': hash },
      accessKeyId: this.#keys.accessKeyId,
      secretAccessKey: this.#keys.secretAccessKey,
      sessionToken: this.#keys.sessionToken ?? '',
      service: 's3',
      region: this.#address.region,
    }).sign()
    // Time-out of the head only; the body may stream longer.
    const timer = new AbortController()
    const within = kind === 'store' || kind === 'copy' ? STORES_WITHIN : ANSWERS_WITHIN
    const timeout = setTimeout(() => timer.abort(new Error(`no response within ${within / 1000} s`)), within)
    let outcome = 'failed'
    try {
      const answer = await request(signed.url, {
        method,
        headers: Object.fromEntries(signed.headers),
        dispatcher: kind === 'read' ? agents.reading : agents.others,
        signal: signal ? AbortSignal.any([timer.signal, signal]) : timer.signal,
        ...(body ? { body } : {}),
      })
      if (answer.statusCode < 300 || answer.statusCode === 404) {
        outcome = 'ok'
        return answer
      }
      throw new BucketRefusal(answer.statusCode, codeIn(await textOf(answer)))
    } catch (err) {
      if (err instanceof FilesAway) throw err
      throw new FilesAway(`the bucket does not respond: ${(err as Error).message}`, { cause: err })
    } finally {
      clearTimeout(timeout)
      if (this.#use.outage) requests.labels(kind, outcome).inc()
    }
  }

  /** During an outage fails at once instead of queueing. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#use.outage?.isAway && inMemory.activeCount >= PARTS_AT_ONCE)
      throw this.#away(new FilesAway('the bucket is away'))
    return inMemory(work)
  }

  #away(err: FilesAway): FilesAway {
    this.#use.outage?.noteFailure(err)
    return err
  }

  async *#contentOf(body: Answer['body']): AsyncGenerator<Buffer> {
    try {
      yield* body
    } catch (err) {
      throw this.#away(new FilesAway(`the bucket broke off: ${(err as Error).message}`, { cause: err }))
    }
  }
}

/** Buffers of the size of a part; the last one is shorter. */
async function* inPartsOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let gathered: Buffer[] = []
  let size = 0
  let count = 0
  for await (const chunk of bytes) {
    gathered.push(chunk)
    size += chunk.length
    if (size < (count < LARGE_FROM ? PART : LARGE_PART)) continue
    count++
    yield Buffer.concat(gathered)
    gathered = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(gathered)
}

/** A refusal in words of S3, such as `403 InvalidAccessKeyId`. */
class BucketRefusal extends FilesAway {
  /** Repeating it is useless. */
  readonly isFinal: boolean

  constructor(status: number, code: string) {
    super(`the bucket refuses: ${status} ${code}`)
    this.isFinal = (status < 500 && status !== 429 && status !== 408) || status === 501
  }
}

/** Short answers; a longer one is cut off with its connection. */
async function textOf({ body }: Answer): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > MOST_TEXT) throw new Error('its answer is too long')
      chunks.push(chunk)
    }
  } catch (err) {
    throw new FilesAway(`the bucket broke off: ${(err as Error).message}`, { cause: err })
  }
  return Buffer.concat(chunks).toString('utf8')
}

const dropped = (answer: Answer) => answer.body.dump()

const codeIn = (text: string) => /<Code>([\w.-]{1,60})<\/Code>/.exec(text)?.[1] ?? 'without a reason'

const encoded = (key: string) => key.split('/').map(encodeURIComponent).join('/')

const secondsOf = (date: string | string[] | undefined): Seconds => Date.parse(String(date)) / 1000
