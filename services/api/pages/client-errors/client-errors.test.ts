import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

const SECRET = 'heather'
const REPORT = {
  place: 'row',
  name: 'TypeError',
  message_class: 'property-of-nothing',
  stack: ['index-kEj1YeTA.js:5:4021', 'index-kEj1YeTA.js:1:77'],
  build: 'index-kEj1YeTA.js',
}

describe('POST /client_errors (interface 17.6)', () => {
  let world: World
  before(async () => {
    world = await newWorld()
  })
  after(() => world.end())

  const lines = () => world.api[0]!.output().split('\n')
  const reports = () =>
    lines()
      .filter(line => line.includes('"client error"'))
      .map(line => JSON.parse(line))
  const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code
  const send = (body: string, type = 'application/json') =>
    fetch(`${world.api[0]!.url}/client_errors`, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body,
      redirect: 'manual',
    })

  it('logs one structured line at level warn, with and without a session', async () => {
    expect((await world.ada.postJson('/client_errors', REPORT)).status).to.equal(204)
    expect((await send(JSON.stringify(REPORT))).status).to.equal(204)
    await eventually(() => expect(reports()).to.have.length(2))
    for (const { level, report } of reports()) {
      expect(level).to.equal('warn')
      expect(report).to.deep.equal(REPORT)
    }
  })

  it('writes no text of a person to the log', async () => {
    const before = reports().length
    const stacks = [[`${SECRET}.js`], [`at ${SECRET} (a.js:1:2)`], [`a.js:1:2 ${SECRET}`], SECRET]
    const bodies = [
      { ...REPORT, name: SECRET },
      { ...REPORT, name: `${SECRET}Error` },
      { ...REPORT, place: SECRET },
      { ...REPORT, message_class: SECRET },
      { ...REPORT, build: `${SECRET} and more` },
      ...stacks.map(stack => ({ ...REPORT, stack })),
    ]
    for (const body of bodies) {
      const response = await world.ada.postJson('/client_errors', body)
      expect(response.status, JSON.stringify(body)).to.equal(400)
      const { error, code } = (await response.json()) as { error: string; code: string }
      expect([error.includes(SECRET), code]).to.deep.equal([false, 'bad_request'])
    }
    expect((await world.ada.postJson('/client_errors', { ...REPORT, message: SECRET })).status).to.equal(204)
    await eventually(() => expect(reports()).to.have.length(before + 1))
    expect(lines().filter(line => line.includes(SECRET))).to.deep.equal([])
  })

  it('refuses malformed and oversized reports, never with a 5xx', async () => {
    for (const body of [
      '',
      '{',
      '[]',
      'null',
      '7',
      '{"stack":{}}',
      `{"__proto__":${JSON.stringify(REPORT)}}`,
    ])
      expect((await send(body)).status, body).to.equal(400)
    expect((await send(JSON.stringify(REPORT), 'text/plain')).status).to.equal(400)
    const large = await send(JSON.stringify({ ...REPORT, more: 'x'.repeat(5_000) }))
    expect([large.status, await codeOf(large)]).to.deep.equal([413, 'too_large'])
    const stack = Array.from({ length: 11 }, () => REPORT.stack[0])
    expect((await send(JSON.stringify({ ...REPORT, stack }))).status).to.equal(400)
  })

  it('counts reports per address', async () => {
    world.backing.settings({ rate_limits: { anonymous: [50, 3_600] } })
    await eventually(async () => {
      const response = await send(JSON.stringify(REPORT))
      expect(response.status).to.equal(429)
      expect(Number(response.headers.get('Retry-After'))).to.be.greaterThan(1_000)
      expect(await codeOf(response)).to.equal('rate_limited')
    })
  })
})
