import { expect } from 'chai'
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

describe('A8: wrong requests of a program', () => {
  const document = apiDocument(ENDPOINTS)
  let world: World
  let program: Program
  before(async () => {
    world = await newWorld({ settings: { channels: ['general'] } })
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

  for (const [route, address, status, code, body] of WRONG)
    it(`${route} is ${status} ${code} for ${(JSON.stringify(body) ?? address).slice(0, 40)}`, async () => {
      const [method, path] = route.split(' ') as [string, string]
      const response = await program.fetch(address, {
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
