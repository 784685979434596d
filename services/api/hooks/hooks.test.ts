import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import pg from 'pg'
import type { IncomingHookPayload, TriedHookPayload } from '#shared/domain/payloads/hooks.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { nameOfBot } from './bot-of-hook.ts'

interface Made {
  id: number
  url: string
}

/** ada owns the workspace; bob and cleo are members. */
describe('incoming hooks (interface 19.4)', function () {
  this.timeout(60_000)
  let world: World
  let db: pg.Client
  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general', 'alerts'] } })
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
  })
  after(async () => {
    await db.end()
    await world.end()
  })

  async function makeHook(maker: Person, draft: object = {}): Promise<Made> {
    const response = await maker.postJson('/hooks_in', { name: 'Deploys', channel: 'alerts', ...draft })
    const body = await response.text()
    expect(response.status, body).to.equal(201)
    return JSON.parse(body) as Made
  }
  /** At the second process. */
  const at = (url: string, api = 1) => world.api[api]!.url + new URL(url).pathname
  const post = (url: string, body: string | Buffer, headers: Record<string, string> = {}) =>
    fetch(at(url), { method: 'POST', body: body as string, headers, redirect: 'manual' })
  const json = (url: string, body: object) =>
    post(url, JSON.stringify(body), { 'Content-Type': 'application/json' })
  const answerOf = async (response: Response) => [response.status, await response.text()]
  const rowOf = async (response: Response) => {
    const id = Number(response.headers.get('X-Message-Id'))
    const { rows } = await db.query(
      'select sender, channel, content, mentions, extra, reply_to_id from messages where id = $1',
      [id],
    )
    return rows[0]
  }
  const listed = async (id: number, viewer = world.ada) =>
    (await viewer.get<IncomingHookPayload[]>('/hooks_in')).find(hook => hook.id === id)
  const countMessages = async () => Number((await db.query('select count(*) from messages')).rows[0].count)

  it('A2: post what curl sends, as JSON, as a form and without a header', async () => {
    const { id, url } = await makeHook(world.ada)
    expect(new URL(url).origin).to.equal(world.ada.at)
    expect(new URL(url).pathname).to.match(/^\/hooks\/[a-z0-9]{32}$/)
    const sent = [
      await post(url, '{"text":"hi"}', { 'Content-Type': 'application/x-www-form-urlencoded' }),
      await post(url, '{"text":"hi"}', { 'Content-Type': 'application/json; charset=utf-8' }),
      await post(url, '{"text":"hi"}', { 'Content-Type': 'text/plain' }),
      await post(url, `payload=${encodeURIComponent('{"text":"hi"}')}`, {
        'Content-Type': 'application/x-www-form-urlencoded',
      }),
      await json(`${url}/slack`, { text: 'hi' }),
    ]
    for (const response of sent) {
      expect(await answerOf(response)).to.deep.equal([200, 'ok'])
      expect(response.headers.get('Content-Type')).to.match(/^text\/plain/)
      expect(await rowOf(response)).to.include({ sender: 'deploys-hook', channel: 'alerts', content: 'hi' })
    }
    await eventually(async () => {
      const hook = await listed(id)
      expect(hook).to.include({ uses: 5, last_error: null, disabled: false, created_by: 'ada' })
      expect(hook!.last_used_ts).to.be.a('number')
    })
    for (const method of ['GET', 'HEAD']) expect((await fetch(at(url), { method })).status).to.equal(200)
  })

  it('A2: answer as senders of Slack know it', async () => {
    const { id, url } = await makeHook(world.ada)
    const before = await countMessages()
    const answers: [string, Promise<Response>, number, string][] = [
      ['not JSON', post(url, 'hello', { 'Content-Type': 'application/json' }), 400, 'invalid_payload'],
      ['a list', post(url, '[]', { 'Content-Type': 'application/json' }), 400, 'invalid_payload'],
      ['no UTF-8', post(url, Buffer.from([0x7b, 0xff, 0x7d])), 400, 'invalid_payload'],
      ['a wrong type', json(url, { text: { a: 1 } }), 400, 'invalid_payload'],
      [
        'a deep one',
        json(url, JSON.parse(`${'{"a":'.repeat(21)}1${'}'.repeat(21)}`)),
        400,
        'invalid_payload',
      ],
      ['a client_id', json(url, { text: 'x', client_id: 'x' }), 400, 'invalid_payload'],
      [
        'a form',
        post(url, 'a=b', { 'Content-Type': 'application/x-www-form-urlencoded' }),
        400,
        'invalid_payload',
      ],
      ['empty', post(url, ''), 400, 'no_text'],
      ['nothing known', json(url, { hello: 1 }), 400, 'no_text'],
      ['no text', json(url, { text: ' \n' }), 400, 'no_text'],
      ['too large', json(url, { text: 'x'.repeat(257 * 1_024) }), 413, 'payload_too_large'],
      ['another channel', json(url, { text: 'x', channel: '#general' }), 403, 'action_prohibited'],
      ['an unknown channel', json(url, { text: 'x', channel: 'nowhere' }), 403, 'action_prohibited'],
      ['an unknown shape', json(`${url}/other`, { text: 'x' }), 404, 'no_service'],
      ['an unknown token', json(url.replace(/.{4}$/, '0000'), { text: 'x' }), 404, 'no_service'],
      ['no token', json(url.replace(/[^/]+$/, 'x'), { text: 'x' }), 404, 'no_service'],
    ]
    for (const [about, response, status, body] of answers)
      expect(await answerOf(await response), about).to.deep.equal([status, body])
    expect(await countMessages()).to.equal(before)
    await eventually(async () => expect((await listed(id))!.last_error).to.be.a('string'))
    const seen = await fetch(at(url.replace(/.{4}$/, '0000')), { headers: { Accept: 'text/html' } })
    expect(await answerOf(seen)).to.deep.equal([404, 'no_service'])
    for (const [path, status, body] of [
      ['', 200, 'ok'],
      ['/github', 200, 'ok'],
      ['/other', 404, 'no_service'],
    ] as const)
      expect(await answerOf(await fetch(at(url) + path)), `GET ${path}`).to.deep.equal([status, body])
  })

  it('take no session, no token and no origin into account', async () => {
    const { url } = await makeHook(world.ada)
    const headers = {
      'Content-Type': 'application/json',
      Authorization: 'Bearer nonsense',
      Origin: 'https://other.example',
      'Sec-Fetch-Site': 'cross-site',
      Cookie: world.bob.cookie,
    }
    const response = await post(url, '{"text":"hi"}', headers)
    expect(await answerOf(response)).to.deep.equal([200, 'ok'])
    expect(response.headers.getSetCookie()).to.deep.equal([])
    expect((await rowOf(response)).sender).to.match(/^deploys-hook/)
    expect(await answerOf(await post(url, '{"text":{}}', headers))).to.deep.equal([400, 'invalid_payload'])
  })

  it('store name, emoji and cards, and reply to a message by its time or id', async () => {
    const { id, url } = await makeHook(world.ada)
    const first = await json(url, {
      text: 'Build <https://ci.example/1|#1>',
      username: 'CI',
      icon_emoji: ':tada:',
      attachments: [{ color: '#36a64f', title: 'Done', fields: [{ title: 'Time', value: 3, short: true }] }],
    })
    const row = await rowOf(first)
    expect(row.content).to.equal('Build [#1](https://ci.example/1)\n\nDone\n*Time*: 3')
    expect(row.extra).to.deep.equal({
      bot: { name: 'CI', emoji: 'tada', hook_id: id },
      cards: [{ color: '#36a64f', title: 'Done', fields: [{ title: 'Time', value: '3', short: true }] }],
      cards_at: 34,
    })
    const messageId = Number(first.headers.get('X-Message-Id'))
    const { rows } = await db.query('select ts from messages where id = $1', [messageId])
    for (const thread of [{ thread_ts: Number(rows[0].ts).toFixed(6) }, { root_id: messageId }])
      expect(Number((await rowOf(await json(url, { text: 'x', ...thread }))).reply_to_id)).to.equal(messageId)
    expect((await rowOf(await json(url, { text: 'x', thread_ts: '1.000001' }))).reply_to_id).to.equal(null)
  })

  it('A4: mention people, and everyone by right alone', async () => {
    const { url } = await makeHook(world.ada)
    const right = await makeHook(world.ada, { may_mention_everyone: true })
    for (const text of ['<!channel> @everyone <@bob>', '@here @everyone @bob'])
      expect(JSON.parse((await rowOf(await json(url, { text }))).mentions)).to.deep.equal(['bob'])
    expect(JSON.parse((await rowOf(await json(right.url, { text: '<!channel>' }))).mentions)).to.deep.equal([
      '@everyone',
    ])
    const template = await makeHook(world.ada, { template: 'On {{ where.0.name }}{{ gone }}: {{text}}{{a}}' })
    const given = { where: [{ name: '@everyone @bob' }], a: '``` @ada' }
    const row = await rowOf(await json(template.url, given))
    expect(row.mentions).to.equal(null)
    expect(row.content).to.match(/^On @.everyone/)
    expect(row.content).to.not.include('```')
  })

  it('are the same message for the same client_id, at both processes at once', async () => {
    const { url } = await makeHook(world.ada)
    const body = JSON.stringify({ text: 'once', client_id: randomUUID() })
    const sent = await Promise.all(
      Array.from({ length: 10 }, (_, i) => fetch(at(url, i % 2), { method: 'POST', body })),
    )
    for (const response of sent) expect(response.status).to.equal(200)
    expect(new Set(sent.map(response => response.headers.get('X-Message-Id'))).size).to.equal(1)
  })

  it('choose a channel by right, where the bot may write', async () => {
    const { url } = await makeHook(world.ada, { may_choose_channel: true })
    const den = await world.privateChannel('Den', [world.bob, world.cleo])
    for (const [channel, found] of [
      ['#general', 'general'],
      ['general', 'general'],
      ['#alerts', 'alerts'],
    ])
      expect((await rowOf(await json(url, { text: 'x', channel }))).channel).to.equal(found)
    const direct = await rowOf(await json(url, { text: 'x', channel: '@bob' }))
    expect(direct.channel).to.match(/^dm:bob:deploys-hook/)
    for (const channel of [den, 'Den', '@nobody', `dm:ada:bob`])
      expect(await answerOf(await json(url, { text: 'x', channel })), channel).to.deep.equal([
        403,
        'action_prohibited',
      ])
  })

  it('refuse bodies without a right signature once they have a secret', async () => {
    const { createHmac } = await import('node:crypto')
    const { id, url } = await makeHook(world.ada)
    const made = await world.ada.postJson(`/hooks_in/${id}/sign_secret`, {})
    const { secret } = (await made.json()) as { secret: string }
    expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { rows } = await db.query('select sign_secret_enc from hooks_in where id = $1', [id])
    expect(rows[0].sign_secret_enc.includes(secret)).to.equal(false)
    expect(await listed(id)).to.include({ signed: true })
    const body = '{"text":"signed"}'
    const mac = createHmac('sha256', secret).update(body).digest('hex')
    const before = await countMessages()
    const wrong: Record<string, string>[] = [
      {},
      { 'X-Hub-Signature-256': `sha256=${mac.replace(/^./, c => (c === '0' ? '1' : '0'))}` },
      { 'X-Hub-Signature-256': mac },
      { 'X-Gitlab-Token': 'x' },
      { 'X-Gitea-Signature': '' },
    ]
    for (const headers of wrong)
      expect(await answerOf(await post(url, body, headers))).to.deep.equal([403, 'invalid_signature'])
    expect(await countMessages()).to.equal(before)
    const timed = createHmac('sha256', secret).update(`12:${body}`).digest('hex')
    const right: Record<string, string>[] = [
      { 'X-Hub-Signature-256': `sha256=${mac}` },
      { 'X-Hub-Signature': `sha256=${mac}` },
      { 'X-Gitea-Signature': mac },
      { 'Sentry-Hook-Signature': mac },
      { 'X-Gitlab-Token': secret },
      { 'X-Grafana-Alerting-Signature': timed, 'X-Grafana-Alerting-Timestamp': '12' },
    ]
    for (const headers of right) expect((await post(url, body, headers)).status).to.equal(200)
    for (let n = 0; n < 2; n++)
      expect((await world.ada.patchJson(`/hooks_in/${id}`, { sign_secret: null })).status).to.equal(204)
    expect(await listed(id)).to.include({ signed: false })
    expect((await post(url, body)).status).to.equal(200)
  })

  it('get a new address, are disabled and removed', async () => {
    const { id, url } = await makeHook(world.ada)
    const renewed = (await (await world.ada.postJson(`/hooks_in/${id}/new_token`, {})).json()) as Made
    expect(new URL(renewed.url).origin).to.equal(world.ada.at)
    expect(await answerOf(await json(url, { text: 'x' }))).to.deep.equal([404, 'no_service'])
    expect((await json(renewed.url, { text: 'x' })).status).to.equal(200)
    expect((await world.ada.patchJson(`/hooks_in/${id}`, { disabled: true })).status).to.equal(204)
    expect(await answerOf(await json(renewed.url, { text: 'x' }))).to.deep.equal([404, 'no_service'])
    expect((await world.ada.patchJson(`/hooks_in/${id}`, { disabled: false })).status).to.equal(204)
    expect((await json(renewed.url, { text: 'x' })).status).to.equal(200)
    expect((await world.ada.fetch(`/hooks_in/${id}`, { method: 'DELETE' })).status).to.equal(204)
    expect(await answerOf(await json(renewed.url, { text: 'x' }))).to.deep.equal([404, 'no_service'])
    const { rows } = await db.query(`select action from audit_log where detail ->> 'hook' = $1 order by id`, [
      String(id),
    ])
    expect(rows.map(row => row.action)).to.deep.equal([
      'hook.created',
      'hook.new_token',
      'hook.changed',
      'hook.changed',
      'hook.deleted',
    ])
  })

  it('with a right of administrators are disabled by managers of their channel, and not changed', async () => {
    const annex = await world.privateChannel('annex', [world.bob, world.ada])
    const usual = await makeHook(world.ada, { channel: annex })
    const template = { template: '@everyone {{a}}' }
    expect((await world.bob.postJson(`/hooks_in/${usual.id}/new_token`, {})).status).to.equal(200)
    expect((await world.bob.patchJson(`/hooks_in/${usual.id}`, template)).status).to.equal(204)
    for (const right of ['may_mention_everyone', 'may_choose_channel']) {
      const { id, url } = await makeHook(world.ada, { channel: annex, [right]: true })
      const path = `/hooks_in/${id}`
      const before = await listed(id)
      for (const refused of [
        await world.bob.postJson(`${path}/new_token`, {}),
        await world.bob.postJson(`${path}/sign_secret`, {}),
        await world.bob.patchJson(path, { sign_secret: null }),
        await world.bob.patchJson(path, template),
        await world.bob.patchJson(path, { name: 'Mine' }),
        await world.bob.patchJson(path, { channel: await world.privateChannel('own', [world.bob]) }),
      ])
        expect([refused.status, ((await refused.json()) as { code: string }).code], right).to.deep.equal([
          403,
          'forbidden',
        ])
      expect(await listed(id)).to.deep.equal(before)
      expect((await json(url, { text: 'x' })).status).to.equal(200)
      expect((await world.bob.patchJson(path, { disabled: true })).status).to.equal(204)
      expect((await world.ada.postJson(`${path}/new_token`, {})).status).to.equal(200)
    }
  })

  it('lose the rights of administrators with the role of their maker', async () => {
    const kim = await new Person('kim', world.api[0]!.url).signUp()
    const lee = await new Person('lee', world.api[0]!.url).signUp()
    const role = (of: Person, role: string, more = {}) =>
      world.ada.patchJson(`/admin/people/${of.name}`, { role, ...more })
    for (const [to, more] of [
      ['member', {}],
      ['guest', { channels: ['general'] }],
    ] as const) {
      expect((await role(kim, 'admin')).status).to.equal(204)
      const both = { may_mention_everyone: true, may_choose_channel: true }
      const { id, url } = await makeHook(kim, both)
      const quiet = await makeHook(kim, {})
      expect((await role(kim, to, more)).status).to.equal(204)
      expect(await listed(id), to).to.include({ may_mention_everyone: false, may_choose_channel: false })
      expect((await rowOf(await json(url, { text: '<!channel>' }))).mentions).to.equal(null)
      expect((await json(url, { text: 'x', channel: '#general' })).status).to.equal(403)
      const { rows } = await db.query(
        `select detail ->> 'hook' as hook, detail from audit_log where action = 'hook.changed' and detail ->> 'hook' = any($1)`,
        [[id, quiet.id].map(String)],
      )
      expect(rows.map(({ detail }) => detail)).to.deep.equal([
        {
          hook: id,
          fields: ['may_choose_channel', 'may_mention_everyone'],
          may_choose_channel: false,
          may_mention_everyone: false,
        },
      ])
    }
    // A right that an administrator gave to the hook of somebody else stays, as a role does that they gave.
    const den = await world.privateChannel('lees', [lee, world.ada])
    const { id, url } = await makeHook(lee, { channel: den })
    await role(kim, 'admin')
    expect((await kim.patchJson(`/hooks_in/${id}`, { may_mention_everyone: true })).status).to.equal(204)
    await role(kim, 'member')
    expect((await rowOf(await json(url, { text: '<!channel>' }))).mentions).to.equal('["@everyone"]')
  })

  it('move to a channel for which the person may make hooks', async () => {
    const { id } = await makeHook(world.ada)
    const mo = await new Person('mo', world.api[0]!.url).signUp()
    expect((await world.ada.fetch('/channel_info/alerts/managers/mo', { method: 'PUT' })).status).to.equal(
      204,
    )
    const move = async (channel: string) => {
      const response = await mo.patchJson(`/hooks_in/${id}`, { channel })
      return [
        response.status,
        response.status === 204 ? '' : ((await response.json()) as { code: string }).code,
      ]
    }
    const own = await world.privateChannel('mos', [mo])
    const unseen = await world.privateChannel('not of mo', [world.bob])
    expect(await move('general')).to.deep.equal([403, 'forbidden'])
    expect(await move(unseen)).to.deep.equal([404, 'not_found'])
    await world.ada.patchJson('/admin/settings', { who_makes_hooks: 'admins' })
    try {
      await eventually(async () => expect(await move(own)).to.deep.equal([403, 'forbidden']))
      expect((await listed(id))!.channel).to.equal('alerts')
      expect((await mo.patchJson(`/hooks_in/${id}`, { name: 'Mo' })).status).to.equal(204)
    } finally {
      await world.ada.patchJson('/admin/settings', { who_makes_hooks: 'members' })
    }
    await eventually(async () => expect(await move(own)).to.deep.equal([204, '']))
  })

  it('stop at once when they are disabled or get a new address while others post', async () => {
    const { id, url } = await makeHook(world.ada)
    const ends = [
      () => world.ada.patchJson(`/hooks_in/${id}`, { disabled: true }),
      () => world.ada.postJson(`/hooks_in/${id}/new_token`, {}),
    ]
    for (const end of ends) {
      await world.ada.patchJson(`/hooks_in/${id}`, { disabled: false })
      let isOver = false
      const late: unknown[] = []
      const posting = Array.from({ length: 8 }, async (_, i) => {
        for (let n = 0; n < 6; n++) {
          const wasOver = isOver
          const response = await fetch(at(url, i % 2), { method: 'POST', body: '{"text":"x"}' })
          const answer = await answerOf(response)
          expect([200, 404]).to.include(answer[0])
          if (wasOver) late.push(answer[1])
        }
      })
      const response = await end()
      isOver = true
      expect(response.ok).to.equal(true)
      await Promise.all(posting)
      expect(late.filter(answer => answer !== 'no_service')).to.deep.equal([])
      expect(await answerOf(await json(url, { text: 'x' }))).to.deep.equal([404, 'no_service'])
    }
  })

  it('are made once for a client_id, without their address the second time', async () => {
    const draft = { name: 'Once', channel: 'alerts', client_id: randomUUID() }
    const first = (await (await world.ada.postJson('/hooks_in', draft)).json()) as Made
    const again = await world.ada.postJson('/hooks_in', draft)
    expect([again.status, await again.json()]).to.deep.equal([201, { id: first.id, url: null }])
    const token = new URL(first.url).pathname.split('/').at(-1)!
    const { rows } = await db.query(`select body::text from made_once where path = '/hooks_in'`)
    expect(JSON.stringify(rows)).to.not.include(token)
  })

  it('are made in public channels by managers, in private ones by members, who let the bot in', async () => {
    const refused = await world.bob.postJson('/hooks_in', { name: 'x', channel: 'general' })
    expect([refused.status, ((await refused.json()) as { code: string }).code]).to.deep.equal([
      403,
      'forbidden',
    ])
    const den = await world.privateChannel('hideout', [world.bob, world.cleo])
    const unseen = await world.ada.postJson('/hooks_in', { name: 'x', channel: den })
    expect(unseen.status).to.equal(404)
    const rights = await world.cleo.postJson('/hooks_in', {
      name: 'x',
      channel: den,
      may_mention_everyone: true,
    })
    expect(rights.status).to.equal(403)
    const { id, url } = await makeHook(world.cleo, { name: 'Zähler #1', channel: den })
    const row = await rowOf(await json(url, { text: 'in' }))
    expect(row).to.include({ channel: den, sender: 'zahler-1-hook' })
    expect((await world.bob.messages(den)).some(({ content }) => content === 'in')).to.equal(true)

    expect((await world.mallory.patchJson(`/hooks_in/${id}`, { name: 'y' })).status).to.equal(404)
    const list = await world.bob.get<IncomingHookPayload[]>(`/hooks_in?channel=${den}`)
    expect(list.map(hook => [hook.id, hook.created_by])).to.deep.equal([[id, 'cleo']])
    expect((await world.mallory.fetch(`/hooks_in?channel=${den}`)).status).to.equal(404)
    expect(await world.mallory.get<IncomingHookPayload[]>('/hooks_in')).to.deep.equal([])

    const number = den.replace('private:', '')
    const removed = await world.bob.postJson(`/private_channels/${number}/remove_member`, {
      username: 'zahler-1-hook',
    })
    expect(removed.status).to.be.below(300)
    expect(await answerOf(await json(url, { text: 'x' }))).to.deep.equal([403, 'action_prohibited'])
    await eventually(async () => expect((await listed(id))!.last_error).to.equal('action_prohibited'))
  })

  it('use a bot of their maker alone', async () => {
    const name = `b-${randomUUID().slice(0, 8)}`
    expect((await world.ada.postJson('/bots', { username: name })).status).to.equal(201)
    const { url } = await makeHook(world.ada, { bot: name })
    expect((await rowOf(await json(url, { text: 'x' }))).sender).to.equal(name)
    await db.query('update users set bot_owner = $2 where username = $1', [name, 'bob'])
    for (const bot of [name, 'bob', 'nobody'])
      expect((await world.ada.postJson('/hooks_in', { name: 'x', channel: 'alerts', bot })).status).to.equal(
        400,
      )
    await world.ada.postJson(`/bots/${name}/deactivate`, {})
    expect(await answerOf(await json(url, { text: 'x' }))).to.deep.equal([403, 'action_prohibited'])
  })

  it('answer 410 in an archived channel, and go with a deleted one', async () => {
    const made = await world.ada.postJson('/public_channels', { name: `old ${randomUUID().slice(0, 8)}` })
    const { channel } = (await made.json()) as { channel: string }
    const { url } = await makeHook(world.ada, { channel })
    expect((await world.ada.postJson(`/channel_info/${channel}/archive`, {})).status).to.be.below(300)
    expect(await answerOf(await json(url, { text: 'x' }))).to.deep.equal([410, 'channel_is_archived'])
  })

  it('A10: pass to who deactivates their maker, and go on', async () => {
    const lou = await new Person('lou', world.api[0]!.url).signUp()
    const den = await world.privateChannel('loft', [lou, world.bob])
    const { id, url } = await makeHook(lou, { name: 'Loft', channel: den })
    expect((await world.ada.postJson('/admin/people/lou/deactivate', {})).status).to.be.below(300)
    expect((await json(url, { text: 'on' })).status).to.equal(200)
    expect((await listed(id))!.created_by).to.equal('ada')
    const { rows } = await db.query(
      `select detail from audit_log where action = 'hook.owner' and target = 'Loft'`,
    )
    expect(rows[0].detail).to.deep.equal({ hook: id, from: 'lou', to: 'ada' })
  })

  it('show what a body becomes, and store nothing', async () => {
    const { id } = await makeHook(world.ada)
    const before = await countMessages()
    const tried = await world.ada.postJson(`/hooks_in/${id}/try`, {
      headers: {},
      body: '{"text":"<!here> x","attachments":[{"title":"T"}]}',
    })
    expect((await tried.json()) as TriedHookPayload).to.deep.equal({
      content: 'everyone x\n\nT',
      cards: [{ title: 'T' }],
      cards_at: 12,
      dropped: 0,
    })
    for (const body of ['{', '{}', ''])
      expect((await world.ada.postJson(`/hooks_in/${id}/try`, { body })).status, body).to.equal(400)
    expect((await world.bob.postJson(`/hooks_in/${id}/try`, { body: '{"text":"x"}' })).status).to.equal(403)
    expect(await countMessages()).to.equal(before)
  })
})

describe('the limit of a hook', function () {
  this.timeout(60_000)
  let world: World
  before(async () => {
    world = await newWorld({
      apis: 2,
      settings: { rate_limit_enabled: true },
      env: { LOG_LEVEL: 'debug' },
    })
  })
  after(() => world.end())

  it('A10: lets 60 of 1,000 posts pass; no log has the address', async () => {
    const made = await world.ada.postJson('/hooks_in', { name: 'Flood', channel: 'general' })
    const { pathname } = new URL(((await made.json()) as Made).url)
    const sent = await Promise.all(
      Array.from({ length: 1_000 }, (_, i) =>
        fetch(world.api[i % 2]!.url + pathname, { method: 'POST', body: '{"text":"x"}' }),
      ),
    )
    const answers = await Promise.all(
      sent.map(async response => `${response.status} ${await response.text()}`),
    )
    expect(answers.filter(answer => answer === '200 ok')).to.have.length(60)
    expect(answers.filter(answer => answer === '429 rate_limited')).to.have.length(940)
    const late = sent.find(({ status }) => status === 429)!
    expect(Number(late.headers.get('Retry-After'))).to.be.within(1, 60)
    for (const api of world.api) {
      expect(api.output()).to.include('/hooks/:token')
      expect(api.output()).to.not.include(pathname.split('/').at(-1))
    }
    const db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    try {
      await db.query('begin')
      await db.query('lock table hooks_in in access exclusive mode')
      const response = await fetch(world.api[0]!.url + pathname, {
        method: 'POST',
        body: '{"text":"x"}',
        signal: AbortSignal.timeout(5_000),
      })
      expect(response.status, 'without a statement about hooks').to.equal(429)
      expect(Number(response.headers.get('Retry-After'))).to.be.within(1, 60)
    } finally {
      await db.end()
    }
    // Another limit counts at once.
    world.backing.settings({ rate_limits: { hook: [100, 60] } })
    try {
      await eventually(async () => {
        const response = await fetch(world.api[0]!.url + pathname, { method: 'POST', body: '{"text":"y"}' })
        expect(response.status).to.equal(200)
      })
    } finally {
      world.backing.settings({})
    }
  })

  it('finds a hook for a sender behind an address that tries many', async () => {
    const made = await world.ada.postJson('/hooks_in', { name: 'Neighbour', channel: 'general' })
    const { pathname } = new URL(((await made.json()) as Made).url)
    const unknown = pathname.replace(/.{4}$/, '0000')
    const statuses = (paths: string[]) =>
      Promise.all(paths.map(async path => (await fetch(world.api[0]!.url + path)).status))
    expect(new Set(await statuses(Array(400).fill(unknown)))).to.deep.equal(new Set([404]))
    expect(await statuses([unknown, pathname, unknown])).to.deep.equal([404, 200, 404])
  })

  it('counts an address before it looks for the hook, by GET too', async () => {
    const made = await world.ada.postJson('/hooks_in', { name: 'Looked at', channel: 'general' })
    const { pathname } = new URL(((await made.json()) as Made).url)
    const unknown = pathname.replace(/.{4}$/, '0000')
    const at = world.api[0]!.url
    world.backing.settings({ rate_limits: { anonymous: [5, 3_600] } })
    const db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    try {
      await eventually(async () => expect((await fetch(at + pathname)).status).to.equal(429))
      // Without a statement about hooks.
      await db.query('begin')
      await db.query('lock table hooks_in in access exclusive mode')
      for (const path of [pathname, unknown, `${unknown}/slack`])
        for (const method of ['GET', 'HEAD', 'POST']) {
          const response = await fetch(at + path, { method, signal: AbortSignal.timeout(5_000) })
          const body = method === 'HEAD' ? '' : 'rate_limited'
          expect([response.status, await response.text()], `${method} ${path}`).to.deep.equal([429, body])
          expect(Number(response.headers.get('Retry-After'))).to.be.within(1, 3_600)
        }
      expect((await fetch(`${at}/login`)).status, 'a page').to.equal(200)
    } finally {
      await db.end()
      world.backing.settings({})
    }
  })
})

describe('the name of the bot of a hook', () => {
  it('is that of the hook, without marks and other characters', () => {
    expect(nameOfBot('Zähler #1', 1)).to.equal('zahler-1-hook')
    expect(nameOfBot('日本', 1)).to.equal('hook')
    expect(nameOfBot('日本', 3)).to.equal('hook-3')
    const long = nameOfBot('a'.repeat(80), 1)
    expect(long).to.equal(`${'a'.repeat(27)}-hook`)
    expect(nameOfBot('a'.repeat(80), 12)).to.have.length(32)
  })
})
