import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { parse } from 'yaml'
import { recipe } from '#shared/test-kit/recipe.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

interface Hook {
  id: number
  url: string
}

describe('the hooks of docs/integrations.md', function () {
  this.timeout(30_000)
  let world: World
  before(async () => {
    world = await newWorld()
  })
  after(() => world.end())

  async function makeHook(name: string): Promise<Hook> {
    const made = await world.ada.postJson('/hooks_in', { name, channel: 'general' })
    const { id, url } = (await made.json()) as Hook
    return { id, url: world.api[0]!.url + new URL(url).pathname }
  }
  async function secretOf({ id }: Hook): Promise<string> {
    const made = await world.ada.postJson(`/hooks_in/${id}/sign_secret`, {})
    return ((await made.json()) as { secret: string }).secret
  }
  async function run(name: string, more: Record<string, string>, path = process.env['PATH']) {
    const env = { PATH: path, ...more }
    return (await promisify(execFile)('sh', ['-c', recipe(name)], { env })).stdout
  }
  const newest = async () => (await world.bob.messages('general')).at(-1)!

  it('post a text', async () => {
    const { url } = await makeHook('Backup')
    expect(await run('hook', { HOOK: url })).to.equal('ok')
    expect(await newest()).to.include({ sender: 'backup-hook', content: 'Backup of the *files* is done.' })
  })

  it('post a card', async () => {
    expect(await run('hook-card', { HOOK: (await makeHook('Cards')).url })).to.equal('ok')
    expect((await newest()).content).to.equal(
      'Backup failed\n\n[Log of tonight](https://backup.example/log)\n*Disk*: full',
    )
  })

  for (const [name, content] of [
    [
      'github',
      '*ada* pushed [1 commit](https://github.com/acme/shop/compare/b2c3d4e...31b2c3d) to branch `main` in ' +
        '[acme/shop](https://github.com/acme/shop)\n' +
        '- [31b2c3d](https://github.com/acme/shop/commit/31b2c3d4e5f60718293a4b5c6d7e8f9001122334) Add a map (bob)',
    ],
    [
      'gitlab',
      '[Failed: pipeline #91 of main](https://gitlab.com/acme/shop/-/pipelines/91)\n' +
        '[acme/shop](https://gitlab.com/acme/shop)\n- test unit_tests',
    ],
    [
      'grafana',
      '[\\[FIRING:1\\] Latency Shop (b)](https://grafana.example.org/alerting/1/edit)\nThe shop is slow\n' +
        '*grafana_folder*: Shop\n*zone*: b\n[Alerts](https://grafana.example.org/)',
    ],
  ] as const)
    it(`take what ${name} signs with their secret, and nothing else`, async () => {
      const hook = await makeHook(name)
      const SECRET = await secretOf(hook)
      expect(await run(name, { HOOK: hook.url, SECRET })).to.equal('ok')
      expect(await newest()).to.include({ sender: `${name}-hook`, content })
      const wrong = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
      const failed = await run(name, { HOOK: hook.url, SECRET: wrong }).catch((err: Error) => err.message)
      expect(failed).to.include('403')
    })

  for (const [name, content] of [
    ['uptime-kuma', '[Down: Shop](https://shop.example.org)\nconnect ECONNREFUSED'],
    ['jenkins', 'Failed: shop [#7](https://ci.example.org/job/shop/7/)'],
  ] as const)
    it(`take what ${name} sends`, async () => {
      expect(await run(name, { HOOK: (await makeHook(name)).url })).to.equal('ok')
      expect((await newest()).content).to.equal(content)
    })

  it('are entered in GitLab by its API', async () => {
    const received: { path: string | undefined; token: unknown; fields: Record<string, string> }[] = []
    const gitlab = createServer(async (req, res) => {
      const parts = await req.toArray()
      const fields = Object.fromEntries(new URLSearchParams(Buffer.concat(parts).toString()))
      received.push({ path: `${req.method} ${req.url}`, token: req.headers['private-token'], fields })
      res.writeHead(201).end('{"id":1}')
    }).listen(0, '127.0.0.1')
    await once(gitlab, 'listening')
    try {
      const GITLAB = `http://127.0.0.1:${(gitlab.address() as AddressInfo).port}`
      const SECRET = 'whsec_a+b/c='
      const more = { GITLAB, PROJECT: '7', GITLAB_TOKEN: 'glpat-1', HOOK: 'https://chat.example.org/hooks/x' }
      expect(await run('gitlab-hook', { ...more, SECRET })).to.equal('{"id":1}')
      expect(received).to.have.length(1)
      const { path, token, fields } = received[0]!
      expect([path, token]).to.deep.equal(['POST /api/v4/projects/7/hooks', 'glpat-1'])
      expect(fields).to.deep.equal({
        ...{ url: more.HOOK, signing_token: SECRET, push_events: 'true', tag_push_events: 'true' },
        ...{ note_events: 'true', issues_events: 'true', merge_requests_events: 'true' },
        ...{ pipeline_events: 'true', deployment_events: 'true', releases_events: 'true' },
      })
    } finally {
      gitlab.close()
    }
  })

  it("are entered in GitHub by gh, which gets its fields as the program's own line", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gh-'))
    try {
      writeFileSync(join(folder, 'gh'), `#!/bin/sh\nprintf '%s\\n' "$@" > '${folder}/words'\n`)
      chmodSync(join(folder, 'gh'), 0o755)
      const more = {
        REPOSITORY: 'acme/shop',
        HOOK: 'https://chat.example.org/hooks/x',
        SECRET: 'whsec_a+b/c=',
      }
      await run('github-hook', more, `${folder}:${process.env['PATH']}`)
      const words = readFileSync(join(folder, 'words'), 'utf8').trim().split('\n')
      expect(words.slice(0, 4)).to.deep.equal(['api', 'repos/acme/shop/hooks', '--method', 'POST'])
      expect(words).to.include.members(['config[url]=https://chat.example.org/hooks/x', 'events[]=push'])
      expect(words.filter(word => word.startsWith('events[]='))).to.have.length(11)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('are a contact point of Grafana', () => {
    const { apiVersion, contactPoints } = parse(recipe('grafana-contact-point'))
    expect(apiVersion).to.equal(1)
    const [receiver] = contactPoints[0].receivers
    expect(receiver).to.have.keys(['uid', 'type', 'disableResolveMessage', 'settings'])
    // Fields of grafana/alerting, receivers/webhook/v1/config.go.
    expect(receiver.settings).to.have.keys(['url', 'hmacConfig'])
    expect(receiver.settings.hmacConfig).to.deep.equal({ secret: 'whsec_…' })
  })
})
