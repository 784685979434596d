import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { ROOT } from '#shared/runtime/config.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

/** A program of docs/integrations.md, as it stands there. */
function recipe(name: string): string {
  const text = readFileSync(join(ROOT, 'docs/integrations.md'), 'utf8')
  const [, lines] = new RegExp(`\`\`\`\\w+\\n[/#]+ recipe: ${name}\\n(.*?)\`\`\``, 's').exec(text) ?? []
  expect(lines, name).to.be.a('string')
  return lines!
}

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

  it("post by Jenkins' plugin, which appends the token of a hook to its address", async () => {
    const made = await world.ada.postJson('/hooks_in', { name: 'Jenkins', channel: 'general' })
    const { url } = (await made.json()) as { url: string }
    const [, token] = /\/hooks\/([^/]+)$/.exec(url) ?? []
    const baseUrl = `${world.ada.at}/hooks/`
    // As StandardSlackService of the plugin sends it.
    const payload = {
      channel: 'general',
      attachments: [
        {
          fallback: 'shop - #7 Success after 3 s',
          color: 'good',
          fields: [{ short: false, value: 'shop - #7 Success after 3 s (<https://ci.example.org/7|Open>)' }],
          mrkdwn_in: ['pretext', 'text', 'fields'],
        },
      ],
      link_names: '1',
    }
    const response = await fetch(baseUrl + token, {
      method: 'POST',
      body: new URLSearchParams({ payload: JSON.stringify(payload) }),
    })
    expect([response.status, await response.text()]).to.deep.equal([200, 'ok'])
    const id = response.headers.get('X-Message-Id')
    const message = await world.bob.get<MessagePayload>(`/message/${id}?full=1&extra=1`)
    expect(message.content).to.include('shop - #7 Success').and.include('https://ci.example.org/7')
    expect(message.extra?.cards?.[0]?.color).to.equal('good')
  })
})
