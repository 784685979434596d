/**
 * Throughput and memory of an upload in parts and of a download, compared with a minimal server that pipes the same
 * bytes to and from the same disk (plain-files.ts), in the same run.
 *
 *   node infra/bench/files.ts [MiB, default 512]
 *
 * Transfers run alone, and four at once. Rounds alternate. The send, which syncs the file to disk, is timed apart: the minimal server syncs nothing. The client
 * sends parts of the size that the server asks for, as the web client does on a fast line.
 * Memory is the most that the process had resident during the transfers, in excess of what it had before, divided by
 * their number.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MessagePayload, UploadPayload } from '#shared/domain/payloads.ts'
import { ROOT } from '#shared/runtime/config.ts'
import { Person } from '#shared/test-kit/person.ts'
import { startService } from '#shared/test-kit/processes.ts'
import { closeRunBacking, testBacking } from '#shared/test-kit/stores.ts'
import { startChild, stopChild } from '../processes/children.ts'
import { freePort } from '../processes/free-port.ts'

const MIB = 1024 * 1024
const SIZE = Number(process.argv[2] ?? 512) * MIB
const ROUNDS = 3
/** The most parts that a person may send at once to a process. */
const TOGETHER = 4
const CHUNK = randomBytes(MIB)

interface Transfer {
  /** MiB per second. */
  speed: number
  /** MiB. */
  memory: number
}

const backing = await testBacking()
backing.settings({ rate_limit_enabled: false, max_upload_size_mb: 2_048 })
const api = await startService('api', { ...backing.env, LOG_LEVEL: 'error' })
const ada = await new Person('ada', api.url).signUp()

const folder = mkdtempSync(join(fileURLToPath(backing.env.FILES_URL), '..', 'plain-'))
const port = await freePort()
const plain = startChild(process.execPath, [join(ROOT, 'infra/bench/plain-files.ts')], {
  env: { ...process.env, PORT: String(port), FOLDER: folder },
})
const plainUrl = `http://127.0.0.1:${port}`
while (!(await fetch(plainUrl).catch(() => undefined))?.ok) await new Promise(done => setTimeout(done, 50))

const sends: number[] = []
await uploadInParts(randomUUID(), 8 * MIB)
await uploadPlain('file0', 8 * MIB)
for (const atOnce of [1, TOGETHER]) await compare(atOnce)
console.log(`send, with the sync  ${(Math.max(...sends) / 1_000).toFixed(1)} s at most`)

await stopChild(plain)
await api.stop()
rmSync(folder, { recursive: true })
await backing.drop()
await closeRunBacking()

async function compare(atOnce: number) {
  const figures = {
    up: [] as Transfer[],
    plainUp: [] as Transfer[],
    down: [] as Transfer[],
    plainDown: [] as Transfer[],
  }
  const all = (work: (at: number) => Promise<void>) => async () => {
    await Promise.all(Array.from({ length: atOnce }, (_, at) => work(at)))
  }
  for (let round = 0; round < ROUNDS; round++) {
    const ids = Array.from({ length: atOnce }, () => randomUUID())
    figures.up.push(
      await measured(
        api.pid,
        atOnce,
        all(at => uploadInParts(ids[at]!, SIZE)),
      ),
    )
    const paths: string[] = []
    for (const id of ids) {
      const began = performance.now()
      paths.push(await send(id))
      sends.push(performance.now() - began)
    }
    figures.plainUp.push(
      await measured(
        plain.pid!,
        atOnce,
        all(at => uploadPlain(`file${at}`, SIZE)),
      ),
    )
    const cookie = { Cookie: ada.cookie }
    figures.down.push(
      await measured(
        api.pid,
        atOnce,
        all(at => download(api.url + paths[at], cookie)),
      ),
    )
    figures.plainDown.push(
      await measured(
        plain.pid!,
        atOnce,
        all(at => download(`${plainUrl}/file${at}`)),
      ),
    )
  }
  report(`upload in parts, ${atOnce} at once`, figures.up, figures.plainUp)
  report(`download, ${atOnce} at once`, figures.down, figures.plainDown)
}

async function uploadInParts(id: string, size: number) {
  const begun = await ada.putJson(`/uploads/${id}`, { name: 'bench.bin', size })
  let { offset, part_bytes } = (await begun.json()) as UploadPayload
  while (offset < size) {
    const headers = {
      'Upload-Offset': String(offset),
      'Content-Type': 'application/octet-stream',
      Cookie: ada.cookie,
    }
    const text = await sent(`${api.url}/uploads/${id}`, 'PATCH', headers, Math.min(part_bytes, size - offset))
    ;({ offset, part_bytes } = JSON.parse(text) as UploadPayload)
  }
}

/** Returns the path of the stored file. */
async function send(id: string): Promise<string> {
  const { status } = await ada.postForm('/send/general?files=all', { uploads: id, client_id: id })
  if (status !== 200) throw new Error(`send: ${status}`)
  const [row] = await ada.get<MessagePayload[]>('/messages/general?limit=1')
  return `/files/${row!.filename}`
}

async function uploadPlain(name: string, size: number) {
  await sent(`${plainUrl}/${name}`, 'PUT', {}, size)
}

/** Sends a body of this size and returns the response. */
async function sent(
  url: string,
  method: string,
  headers: Record<string, string>,
  size: number,
): Promise<string> {
  const outgoing = request(url, { method, headers: { ...headers, 'Content-Length': size } })
  const response = once(outgoing, 'response')
  await write(outgoing, size)
  const [incoming] = await response
  let text = ''
  for await (const piece of incoming.setEncoding('utf8')) text += piece
  return text
}

async function write(outgoing: ClientRequest, size: number) {
  for (let left = size; left > 0; left -= CHUNK.length)
    if (!outgoing.write(left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK)) await once(outgoing, 'drain')
  outgoing.end()
}

async function download(url: string, headers: Record<string, string> = {}) {
  const outgoing = request(url, { headers })
  outgoing.end()
  const [incoming] = await once(outgoing, 'response')
  for await (const _ of incoming);
}

async function measured(pid: number, atOnce: number, work: () => Promise<void>): Promise<Transfer> {
  const before = resident(pid)
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, resident(pid))
  }, 20)
  const began = performance.now()
  await work()
  const seconds = (performance.now() - began) / 1_000
  clearInterval(timer)
  return { speed: (atOnce * SIZE) / MIB / seconds, memory: (most - before) / atOnce }
}

/** MiB. */
function resident(pid: number): number {
  const [, kib = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) / 1_024
}

function report(what: string, ours: Transfer[], theirs: Transfer[]) {
  const middle = (transfers: Transfer[], of: keyof Transfer) =>
    transfers.map(one => one[of]).toSorted((a, b) => a - b)[Math.floor(transfers.length / 2)]!
  const [speed, plainSpeed] = [middle(ours, 'speed'), middle(theirs, 'speed')]
  console.log(
    `${what.padEnd(28)}${(SIZE / MIB).toFixed(0)} MiB: ${speed.toFixed(0)} MiB/s, plain ${plainSpeed.toFixed(0)}, ` +
      `ratio ${(speed / plainSpeed).toFixed(2)}; memory ${middle(ours, 'memory').toFixed(0)} MiB, ` +
      `plain ${middle(theirs, 'memory').toFixed(0)}`,
  )
}
