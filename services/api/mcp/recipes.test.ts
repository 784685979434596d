import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { ROOT } from '#shared/runtime/config.ts'
import { tokenOf } from '#shared/test-kit/program.ts'
import { recipe } from '#shared/test-kit/recipe.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

const DOCUMENT = readFileSync(join(ROOT, 'docs/integrations.md'), 'utf8')

/** The block of JSON in the section, which has no comment with a name. */
function configuration(): string {
  const [, section = ''] = DOCUMENT.split('## 10 An assistant by MCP')
  const [, lines] = /```json\n(.*?)```/s.exec(section) ?? []
  expect(lines).to.be.a('string')
  return lines!
}

interface Configuration {
  mcpServers: { bothy: { type: string; url: string; headers: { Authorization: string } } }
}

describe('an assistant by MCP of docs/integrations.md', () => {
  let world: World
  let token: string
  before(async () => {
    world = await newWorld({ settings: { channels: ['general'], mcp_enabled: true } })
    token = (await tokenOf(world.bob)).token
    await world.ada.send('general', 'The *boiler* is back, @bob.')
  })
  after(() => world.end())

  it('connects as mcp.mjs says, and reads', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-'))
    try {
      symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
      writeFileSync(join(folder, 'mcp.mjs'), recipe('mcp.mjs'))
      const env = { PATH: process.env['PATH'], BOTHY: world.ada.at, TOKEN: token }
      const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'mcp.mjs')], { env })
      expect(stdout).to.include('read_channel').and.include('The *boiler* is back, @bob.')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('has the address and header of its configuration', async () => {
    const { type, url, headers } = (JSON.parse(configuration()) as Configuration).mcpServers.bothy
    expect(type).to.equal('http')
    const response = await fetch(url.replace('https://chat.example.org', world.ada.at), {
      method: 'POST',
      headers: {
        Authorization: headers.Authorization.replace('bothy_…', token),
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    expect([response.status, await response.text()].join(' '))
      .to.include('200')
      .and.include('list_channels')
  })
})
