import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'

describe('the id of a request', () => {
  let backing: TestBacking
  let alone: RunningService
  let behindProxy: RunningService
  before(async () => {
    backing = await testBacking()
    alone = await startService('api', { ...backing.env, LOG_LEVEL: 'info' })
    behindProxy = await startService('api', { ...backing.env, TRUST_PROXY: '1' })
  })
  after(async () => {
    await Promise.all([alone.stop(), behindProxy.stop()])
    await backing.drop()
  })

  const idOf = async (service: RunningService, given?: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${service.url}/login`, {
      headers: { ...headers, ...(given === undefined ? {} : { 'X-Request-Id': given }) },
    })
    return response.headers.get('X-Request-Id')!
  }
  const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

  it('is new for each request, and in its log line', async () => {
    const ids = await Promise.all([idOf(alone), idOf(alone), idOf(alone, 'of-a-client')])
    for (const id of ids) expect(id).to.match(UUID)
    expect(new Set(ids).size).to.equal(3)
    await eventually(() => {
      for (const id of ids) expect(alone.output()).to.include(`"id":"${id}"`)
    })
  })

  it('is that of a trusted proxy, unless it is no plain word', async () => {
    expect(await idOf(behindProxy, 'proxy-17')).to.equal('proxy-17')
    for (const bad of ['', 'two words', '"quoted"', 'x'.repeat(65)])
      expect(await idOf(behindProxy, bad), bad).to.match(UUID)
  })

  it('is on the page of an error of the server', async () => {
    const ada = await new Person('ada', alone.url).signUp()
    await backing.admin('alter table messages rename to messages_away')
    const response = await ada.fetch('/messages/general', { headers: { Accept: 'text/html' } })
    expect(response.status).to.equal(500)
    const id = response.headers.get('X-Request-Id')!
    expect(await response.text()).to.include(id)
    await eventually(() => {
      const lines = alone.output().split('\n')
      const line = lines.find(text => text.includes('request failed'))
      expect(JSON.parse(line ?? '{}').id).to.equal(id)
    })
  })
})
