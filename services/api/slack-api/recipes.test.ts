import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { ROOT } from '#shared/runtime/config.ts'
import { recipe } from '#shared/test-kit/recipe.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('the programs for Slack of docs/integrations.md', () => {
  let world: World
  before(async () => {
    world = await newWorld({ settings: { channels: ['general'] } })
  })
  after(() => world.end())

  it('post, reply and react: slack.mjs', async () => {
    const made = await world.ada.postJson('/bots', { username: 'deploys' })
    const { token } = (await made.json()) as { token: string }
    const folder = mkdtempSync(join(tmpdir(), 'slack-'))
    try {
      symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
      writeFileSync(join(folder, 'slack.mjs'), recipe('slack.mjs'))
      const env = { PATH: process.env['PATH'], BOTHY: world.ada.at, TOKEN: token }
      await promisify(execFile)(process.execPath, [join(folder, 'slack.mjs')], { env })
    } finally {
      rmSync(folder, { recursive: true })
    }
    const rows = await world.bob.get<MessagePayload[]>('/messages/general?extra=1')
    const [root, reply] = rows.filter(({ sender }) => sender === 'deploys')
    expect([root?.content, reply?.content]).to.deep.equal(['Deploy of *shop* begins.', 'Deployed.'])
    expect(reply?.reply_to_id).to.equal(root?.id)
    expect(Object.keys(JSON.parse(root!.reactions!))).to.have.length(1)
  })
})
