import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '#shared/runtime/config.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

/** A command of docs/integrations.md, as it stands there. */
function recipe(name: string): string {
  const text = readFileSync(join(ROOT, 'docs/integrations.md'), 'utf8')
  const [, lines] = new RegExp(`# recipe: ${name}\\n(.*?)\`\`\``, 's').exec(text) ?? []
  expect(lines, name).to.be.a('string')
  return lines!
}

describe('the hooks of docs/integrations.md', function () {
  this.timeout(30_000)
  let world: World
  let hook: string
  before(async () => {
    world = await newWorld()
    const made = await world.ada.postJson('/hooks_in', { name: 'Backup', channel: 'general' })
    hook = world.api[0]!.url + new URL(((await made.json()) as { url: string }).url).pathname
  })
  after(() => world.end())

  const run = (name: string) => {
    const env = { PATH: process.env['PATH'], HOOK: hook }
    const { status, stdout, stderr } = spawnSync('sh', ['-c', recipe(name)], { env, encoding: 'utf8' })
    expect(status, stderr).to.equal(0)
    expect(stdout).to.equal('ok')
  }
  const newest = async () => (await world.bob.messages('general')).at(-1)!

  it('post a text', async () => {
    run('hook')
    expect(await newest()).to.include({ sender: 'backup-hook', content: 'Backup of the *files* is done.' })
  })

  it('post a card', async () => {
    run('hook-card')
    expect((await newest()).content).to.equal(
      'Backup failed\n\n[Log of tonight](https://backup.example/log)\n*Disk*: full',
    )
  })
})
