import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import S3rver from 's3rver'
import { temporaryFolder } from '../../infra/processes/children.ts'

/** A server of S3 for tests, with a door in front of it that can be shut, made silent or watched. */
export interface TestS3 {
  /** `s3://bothy/<prefix>?endpoint=…` */
  urlOf(prefix: string): string
  /** The variables with its keys. */
  keys: { AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string }
  /** `open`: as usual; `refuse`: 503 SlowDown; `silent`: takes requests and says nothing; `cut`: breaks off contents. */
  door: 'open' | 'refuse' | 'silent' | 'cut'
  /** Requests that came to the door, as `PUT /bothy/…`. */
  requests: string[]
  /** Uploads in parts that were begun and not ended, by their ids: the paths of their objects, and the time in ISO form. */
  begun: Map<string, { path: string; initiated: string }>
  /** Refuses to list these uploads, as some servers do. */
  hidesBegun: boolean
  /** Calls this at each request; a promise holds the request back. */
  atRequest: ((line: string) => unknown) | undefined
  stop(): Promise<void>
}

/** Both the name and the secret. */
const KEY = 'S3RVER'

export async function startS3(): Promise<TestS3> {
  const folder = temporaryFolder('bothy-s3-')
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder.path,
    configureBuckets: [{ name: 'bothy' }],
  })
  const { port } = await server.run()
  const door: Server = createServer(async (req, res) => {
    const line = `${req.method} ${req.url}`
    s3.requests.push(line)
    await s3.atRequest?.(line)
    // A client was killed meanwhile.
    if (req.socket.destroyed) return void res.destroy()
    if (!isSigned(req)) {
      req.resume()
      return void res.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>')
    }
    if (s3.door === 'silent') return void req.resume()
    if (s3.door === 'refuse') {
      req.resume()
      return void res.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')
    }
    if (answerForUploads(s3, req, res)) return
    // s3rver cannot tell where a list goes on: its tokens need a cipher that OpenSSL no longer has.
    const path = req.url?.replace('&max-keys=1&', '&')
    const onward = request({ port, method: req.method, path, headers: req.headers }, answer => {
      res.writeHead(answer.statusCode!, answer.headers)
      noteUploads(s3.begun, req, answer)
      if (s3.door !== 'cut' || req.method !== 'GET') return void answer.pipe(res)
      answer.once('data', chunk => res.write(chunk.subarray(0, chunk.length / 2), () => res.destroy()))
    })
    onward.on('error', () => res.destroy())
    // A killed client leaves a request without an end.
    res.on('close', () => onward.destroy())
    req.pipe(onward)
  })
  await new Promise<void>(done => door.listen(0, '127.0.0.1', done))
  const endpoint = `http://127.0.0.1:${(door.address() as AddressInfo).port}`
  const s3: TestS3 = {
    urlOf: prefix => `s3://bothy/${prefix}?endpoint=${encodeURIComponent(endpoint)}`,
    keys: { AWS_ACCESS_KEY_ID: KEY, AWS_SECRET_ACCESS_KEY: KEY },
    door: 'open',
    requests: [],
    begun: new Map(),
    hidesBegun: false,
    atRequest: undefined,
    async stop() {
      door.closeAllConnections()
      await new Promise(done => door.close(done))
      await server.close()
      folder.remove()
    },
  }
  return s3
}

const queryOf = ({ url = '' }: IncomingMessage) => new URL(url, 'http://door').searchParams
const pathOf = ({ url = '' }: IncomingMessage) => url.split('?', 1)[0]!

function noteUploads(begun: TestS3['begun'], req: IncomingMessage, answer: IncomingMessage) {
  if (req.method !== 'POST' || answer.statusCode !== 200) return
  const ended = queryOf(req).get('uploadId')
  if (ended !== null) begun.delete(ended)
  if (!queryOf(req).has('uploads')) return
  let text = ''
  answer.on('data', chunk => {
    text += chunk
  })
  answer.on('end', () => {
    const id = /<UploadId>(.*)<\/UploadId>/.exec(text)![1]!
    begun.set(id, { path: pathOf(req), initiated: new Date().toISOString() })
  })
}

/** The list of uploads in parts, and their ends, which s3rver does not know. True if this was one of them. */
function answerForUploads({ begun, hidesBegun }: TestS3, req: IncomingMessage, res: ServerResponse): boolean {
  const query = queryOf(req)
  if (req.method === 'GET' && query.has('uploads')) {
    if (hidesBegun) {
      res.writeHead(501).end('<Error><Code>NotImplemented</Code></Error>')
      return true
    }
    const prefix = `/bothy/${query.get('prefix') ?? ''}`
    const items = [...begun]
      .filter(([, { path }]) => path.startsWith(prefix))
      .map(
        ([id, { path, initiated }]) =>
          `<Upload><Key>${path.slice('/bothy/'.length)}</Key><UploadId>${id}</UploadId><Initiated>${initiated}</Initiated></Upload>`,
      )
    res.end(
      `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${items.join('')}</ListMultipartUploadsResult>`,
    )
    return true
  }
  const id = query.get('uploadId')
  if (req.method !== 'DELETE' || id === null) return false
  res.writeHead(begun.delete(id) ? 204 : 404).end()
  return true
}

/** Checks Signature Version 4, which s3rver does not, from the request as it was sent. */
function isSigned({ method, url = '', headers }: IncomingMessage): boolean {
  const [, date, region, signed = '', signature] =
    /Credential=S3RVER\/(\d{8})\/([\w-]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=(\w+)/.exec(
      headers.authorization ?? '',
    ) ?? []
  const [path, query = ''] = url.split('?')
  const canonical = [
    method,
    path,
    query
      .split('&')
      .filter(part => part !== '')
      .map(part => (part.includes('=') ? part : `${part}=`))
      .toSorted()
      .join('&'),
    ...signed.split(';').map(name => `${name}:${headers[name]}`),
    '',
    signed,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const time = headers['x-amz-date']
  const hash = createHash('sha256').update(canonical).digest('hex')
  const text = ['AWS4-HMAC-SHA256', time, `${date}/${region}/s3/aws4_request`, hash].join('\n')
  const key = [date, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (before, part) =>
      createHmac('sha256', before)
        .update(part ?? '')
        .digest(),
    `AWS4${KEY}`,
  )
  return createHmac('sha256', key).update(text).digest('hex') === signature
}
