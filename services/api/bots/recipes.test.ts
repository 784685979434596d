import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type RunningService, startFrontDoor, startService } from '#shared/test-kit/processes.ts'
import { recipe } from '#shared/test-kit/recipe.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('the bots of docs/integrations.md', function () {
  this.timeout(60_000)
  let world: World
  let gateway: RunningService
  let door: Awaited<ReturnType<typeof startFrontDoor>>
  let folder: string
  before(async () => {
    world = await newWorld({ settings: { channels: ['general'] } })
    gateway = await startService('events', world.backing.env)
    door = await startFrontDoor(world.api, [gateway])
    folder = mkdtempSync(join(tmpdir(), 'bots-'))
  })
  after(async () => {
    rmSync(folder, { recursive: true })
    await door.close()
    await gateway.stop()
    await world.end()
  })

  const hasPython = spawnSync('python3', ['--version']).status === 0

  for (const [command, file, username] of [
    [process.execPath, 'bot.mjs', 'node-bot'],
    ['python3', 'bot.py', 'python-bot'],
  ] as const)
    it(`answer who mentions them, once, also when started again: ${file}`, async function () {
      // Where the machine has none there is nothing to run it.
      if (command === 'python3' && !hasPython) this.skip()
      const { ada, bob } = world
      const made = (await (await ada.postJson('/bots', { username })).json()) as { token: string }
      writeFileSync(join(folder, file), recipe(file))
      const env = { PATH: process.env['PATH'], BOTHY: door.url, TOKEN: made.token, PYTHONUNBUFFERED: '1' }
      const start = () =>
        spawn(command, [join(folder, file)], { env, stdio: ['ignore', 'inherit', 'inherit'] })
      const end = async (program: ChildProcess) => {
        program.kill('SIGKILL')
        await once(program, 'exit')
      }
      const answers = async () => (await bob.messages('general')).filter(({ sender }) => sender === username)

      let program = start()
      try {
        // It begins with what is written after its start: asked until it listens.
        const asked: number[] = []
        await eventually(async () => {
          asked.push(await bob.send('general', `@${username} are you there?`))
          expect(await answers()).to.not.have.length(0)
        }, 20_000)
        await eventually(async () => {
          const found = await answers()
          expect(found.map(({ content }) => content)).to.include('Here I am, bob.')
          expect(asked).to.include.members(found.map(({ reply_to_id }) => reply_to_id!))
        })
        await end(program)
        program = start()
        const before = (await answers()).length
        await eventually(async () => {
          await bob.send('general', `@${username} and now?`)
          expect(await answers()).to.have.length.above(before)
        }, 20_000)
        await bob.send('general', 'nobody is meant')
        const replies = (await answers()).map(({ reply_to_id }) => reply_to_id)
        expect(new Set(replies).size, 'one answer a message').to.equal(replies.length)

        await ada.postJson(`/bots/${username}/deactivate`, {})
        const [code] = await once(program, 'exit')
        expect(code, 'ends with its token').to.equal(1)
      } finally {
        if (program.exitCode === null && program.signalCode === null) await end(program)
      }
    })
})
