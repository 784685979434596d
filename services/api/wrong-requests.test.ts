import { expect } from 'chai'
import pg from 'pg'
import { Program, programOf } from '#shared/test-kit/program.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { apiDocument } from './api-document/document.ts'
import { ENDPOINTS } from './endpoints.ts'

const LONG = 'a'.repeat(501)

/** Route of the document, what replaces it in the address, status and code; a body is sent as JSON, text as it is. */
type Wrong = [route: string, address: string, status: number, code: string, body?: object | string]

const WRONG: readonly Wrong[] = [
  ['GET /messages/{channel}', '/messages/nowhere', 403, 'forbidden'],
  ['GET /message/{id}', '/message/999999', 404, 'not_found'],
  ['GET /thread/{id}', '/thread/999999', 404, 'not_found'],
  ['GET /files/{name}', '/files/unknown.png', 404, 'not_found'],
  ['GET /profile/{username}', '/profile/nobody', 404, 'not_found'],
  ['GET /pins/{channel}', '/pins/general?limit=0', 400, 'invalid'],
  ['GET /pins/{channel}', '/pins/general?cursor=x', 400, 'invalid'],
  ['GET /search', '/search', 400, 'required'],
  ['GET /search', '/search?q=a&sort=worst', 400, 'invalid'],
  ['GET /search', `/search?q=${LONG}`, 400, 'too_long'],
  ['GET /linked_messages', '/linked_messages', 400, 'invalid'],
  ['GET /channel_days/{channel}', '/channel_days/general?month=13', 400, 'invalid'],
  ['GET /inbox', '/inbox?kind=spam', 400, 'invalid'],
  ['GET /admin/audit', '/admin/audit', 403, 'forbidden'],
  ['POST /send/{channel}', '/send/general', 400, 'bad_request', {}],
  ['POST /send/{channel}', '/send/nowhere', 403, 'forbidden', {}],
  ['POST /edit/{id}', '/edit/999999', 403, 'forbidden', {}],
  ['POST /forward/{id}', '/forward/999999', 400, 'required', {}],
  ['PUT /saved/{id}', '/saved/999999', 404, 'not_found', {}],
  ['POST /scheduled', '/scheduled', 400, 'required', {}],
  ['POST /threads/read', '/threads/read', 400, 'invalid', {}],
  ['POST /inbox/read', '/inbox/read', 400, 'invalid', { ids: 'all' }],
  ['POST /sections', '/sections', 400, 'required', { name: ' ' }],
  ['POST /sections', '/sections', 400, 'too_long', { name: LONG }],
  ['POST /sections', '/sections', 400, 'bad_request', '{"name":'],
  ['POST /sections', '/sections', 413, 'too_large', { name: LONG.repeat(600) }],
  ['PATCH /preferences', '/preferences', 400, 'invalid', { colour: 'red' }],
  ['PUT /status', '/status', 400, 'too_long', { text: LONG }],
  ['POST /tokens', '/tokens', 403, 'forbidden', { name: 'another' }],
  ['POST /public_channels', '/public_channels', 403, 'forbidden', { name: 'project' }],
  ['POST /hooks_in', '/hooks_in', 403, 'forbidden', { name: 'ci', channel: 'general' }],
]

/** Requests of an owner with a session: errors of integrations have `request_id` there too. */
const WRONG_WITH_SESSION: readonly Wrong[] = [
  ['POST /tokens', '/tokens', 400, 'required', {}],
  ['POST /tokens', '/tokens', 400, 'too_long', { name: LONG }],
  ['POST /tokens', '/tokens', 400, 'invalid', { name: 'CI', expires_in_days: -1 }],
  ['DELETE /tokens/{id}', '/tokens/999999', 404, 'not_found'],
  ['POST /bots', '/bots', 400, 'required', {}],
  ['GET /bots/{name}/tokens', '/bots/nobody/tokens', 404, 'not_found'],
  ['PATCH /bots/{name}', '/bots/nobody', 404, 'not_found', { owner: 'ada' }],
  ['POST /hooks_in', '/hooks_in', 404, 'not_found', { name: 'CI', channel: 'nowhere' }],
  ['GET /hooks_in', '/hooks_in?channel=nowhere', 404, 'not_found'],
  ['GET /hooks_in', '/hooks_in?cursor=x', 400, 'invalid'],
  ['POST /hooks_in/{id}/try', '/hooks_in/999999/try', 404, 'not_found', { body: '{}' }],
  ['POST /hooks_out', '/hooks_out', 400, 'invalid', { name: 'CI', url: 'ftp://a.example', events: [] }],
  ['PATCH /hooks_out/{id}', '/hooks_out/999999', 404, 'not_found', { name: 'CI' }],
  ['POST /deliveries/{id}/again', '/deliveries/x/again', 404, 'not_found', {}],
  ['POST /commands', '/commands', 400, 'bad_request', '{"name":'],
  ['POST /commands', '/commands', 400, 'invalid', { name: 'a b', url: 'https://a.example', bot: 'nobody' }],
  ['DELETE /commands/{name}', '/commands/none', 404, 'not_found'],
  ['POST /command/{channel}', '/command/general', 404, 'not_found', { text: '/none' }],
]

describe('A8: wrong requests', () => {
  const document = apiDocument(ENDPOINTS)
  let world: World
  let program: Program
  before(async () => {
    world = await newWorld({ settings: { channels: ['general'] } })
    const db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    await db.query(`update users set role = 'owner' where username = 'ada'`)
    await db.end()
    program = await programOf(world.bob, { scopes: ['write'] })
  })
  after(() => world?.end())

  const expectError = async (response: Response, status: number, code: string, about: string) => {
    const body = await response.text()
    expect(
      [response.status, response.headers.get('Content-Type')?.split(';')[0]],
      `${about}: ${body}`,
    ).to.deep.equal([status, 'application/json'])
    const error = JSON.parse(body) as Record<string, string>
    expect(Object.keys(error).sort(), about).to.deep.equal(['code', 'error', 'request_id'])
    expect(error['code'], body).to.equal(code)
    expect(error['error'], about).to.match(/\w/)
    expect(error['request_id'], about).to.equal(response.headers.get('X-Request-Id'))
  }

  for (const [by, rows] of [
    ['a program', WRONG],
    ['an owner', WRONG_WITH_SESSION],
  ] as const)
    for (const [route, address, status, code, body] of rows)
      it(`${route} of ${by} is ${status} ${code} for ${(JSON.stringify(body) ?? address).slice(0, 40)}`, async () => {
        const [method, path] = route.split(' ') as [string, string]
        const response = await (rows === WRONG ? program : world.ada).fetch(address, {
          method,
          ...(body !== undefined && {
            headers: { 'Content-Type': 'application/json' },
            body: typeof body === 'string' ? body : JSON.stringify(body),
          }),
        })
        await expectError(response, status, code, route)
        expect(document.paths[path]![method.toLowerCase()]!.responses, route).to.have.property(String(status))
      })

  it('have the same form for an unknown token and an unknown address', async () => {
    const stranger = new Program('nobody', program.at, `bothy_${'a'.repeat(49)}`)
    const refused = await stranger.fetch('/me')
    expect(refused.headers.get('WWW-Authenticate')).to.equal('Bearer')
    await expectError(refused, 401, 'unauthorized', 'unknown token')
    await expectError(await program.fetch('/nothing'), 404, 'not_found', 'unknown address')
  })
})
