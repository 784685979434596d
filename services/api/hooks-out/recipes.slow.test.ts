import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { MadeOutgoingHookPayload } from '#shared/domain/payloads/hooks-out.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { recipe } from '#shared/test-kit/recipe.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}

describe('a program that is told, of docs/integrations.md', function () {
  this.timeout(120_000)
  let world: World
  let running: RunningService[] = []
  let folder: string
  let program: ChildProcess | undefined
  before(async () => {
    world = await newWorld({ settings: { channels: ['general'], hooks_allow: ['127.0.0.0/8'] } })
    const { env } = world.backing
    running = await Promise.all([startService('janitor', env), startService('previews', env)])
    folder = mkdtempSync(join(tmpdir(), 'receiver-'))
  })
  after(async () => {
    program?.kill()
    if (folder) rmSync(folder, { recursive: true })
    await Promise.all(running.map(service => service.stop()))
    await world?.end()
  })

  it('takes a test, and answers a message that begins with the word', async () => {
    const { ada, bob } = world
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const made = await ada.postJson('/hooks_out', {
      name: 'Ping',
      url,
      events: ['message.created'],
      triggers: ['ping'],
    })
    expect(made.status).to.equal(201)
    const { id, secret } = (await made.json()) as MadeOutgoingHookPayload
    const file = join(folder, 'receiver.mjs')
    writeFileSync(file, recipe('receiver.mjs'))
    const env = { PATH: process.env['PATH'], SECRET: secret!, PORT: String(port) }
    let printed = ''
    program = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    program.stdout!.setEncoding('utf8').on('data', text => {
      printed += text
    })
    const unsigned = () => fetch(url, { method: 'POST', body: '{"type": "test", "data": {}}' })
    await eventually(async () => expect((await unsigned()).status).to.equal(403))

    const tested = await ada.postJson(`/hooks_out/${id}/test`, {})
    expect(await tested.json()).to.include({ status: 200 })
    expect(printed).to.match(/^test/)

    const asked = await bob.send('general', 'ping are you there?')
    await eventually(async () => {
      const answer = (await bob.messages('general')).find(({ sender }) => sender === 'ping-hook')
      expect(answer).to.include({ content: 'Here I am, bob.', reply_to_id: asked })
    })
    expect(printed).to.include('message.created general bob ping are you there?')
  })
})
