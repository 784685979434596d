import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { tokenOf } from '#shared/test-kit/program.ts'
import { recipe } from '#shared/test-kit/recipe.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

const run = promisify(execFile)

describe('the recipes of docs/integrations.md', function () {
  this.timeout(60_000)
  let world: World
  let gateway: RunningService
  let home: string
  let number: number
  before(async () => {
    world = await newWorld({ settings: { channels: ['general'] } })
    gateway = await startService('events', world.backing.env)
    home = mkdtempSync(join(tmpdir(), 'recipes-'))
    const { id, token } = await tokenOf(world.ada, { scopes: ['write'], channels_only: ['general'] })
    number = id
    mkdirSync(join(home, '.config/bothy'), { recursive: true })
    writeFileSync(join(home, '.config/bothy/token'), `${token}\n`)
  })
  after(async () => {
    rmSync(home, { recursive: true })
    await gateway.stop()
    await world.end()
  })

  async function bash(name: string, more: Record<string, string> = {}, ending = '') {
    const env = { PATH: process.env['PATH'], HOME: home, BOTHY: world.api[0]!.url, ...more }
    return (await run('sh', ['-c', `${recipe(name).trim()}${ending}`], { env })).stdout
  }

  it('post, read, and send once', async () => {
    const posted = await bash('post')
    const id = Number(/^x-message-id: (\d+)/im.exec(posted)![1])
    const read = JSON.parse(await bash('read')) as MessagePayload[]
    expect(read.find(message => message.id === id)!.content).to.equal('Backup of the *files* is done.')
    const ID = randomUUID()
    for (let i = 0; i < 2; i++) await bash('once', { ID })
    const after = await world.bob.messages('general')
    expect(after.filter(({ content }) => content === 'Deployed.')).to.have.length(1)
  })

  it('follow the stream', async () => {
    const first = await bash('follow', { BOTHY: gateway.url }, ' | head -c 40')
    expect(first).to.include('retry: 3000')
  })

  it('end the token with itself', async () => {
    await bash('end', { NUMBER: String(number) })
    const failed = await bash('read').catch((err: { stderr: string }) => err.stderr)
    expect(failed).to.include('401')
  })
})
