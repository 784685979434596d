import { expect } from 'chai'
import { filledIn } from '#shared/domain/hook-template.ts'
import { curlFor, sampleCall } from './sample-call.ts'

const URL = 'https://chat.example.org/hooks/abc'

describe('the request that tries a hook', () => {
  it('is in the form of Slack with its type, or as curl sends it alone', () => {
    expect(curlFor(sampleCall('slack', URL, 'Hello', null))).to.equal(
      `curl -H 'Content-Type: application/json' \\\n  -d '{"text":"Hello"}' \\\n  '${URL}'`,
    )
    expect(curlFor(sampleCall('plain', URL, 'Hello', null))).to.equal(
      `curl -d '{"text":"Hello"}' \\\n  '${URL}'`,
    )
  })

  it('fills each place of the template', () => {
    const template = '{{ alerts.0.labels.name }} and {{alerts.1.state}} at {{host}} of {{host.zone}}'
    const { url, body } = sampleCall('template', URL, 'Hello', template)
    expect(url).to.equal(`${URL}/template`)
    expect(JSON.parse(body)).to.deep.equal({
      alerts: [{ labels: { name: 'name' } }, { state: 'state' }],
      host: { zone: 'zone' },
    })
    expect(filledIn(template, JSON.parse(body), 100)).to.equal('name and state at {"zone":"zone"} of zone')
  })

  it('has no places for a template without any, and keeps strange names', () => {
    expect(sampleCall('template', URL, 'Hello', 'Alarm').body).to.equal('{}')
    expect(sampleCall('template', URL, 'Hello', '{{__proto__.a}} {{0}} {{b.7}}').body).to.equal(
      '{"0":"0","__proto__":{"a":"a"},"b":{"7":"7"}}',
    )
  })

  it('is quoted for a shell', () => {
    const call = sampleCall('plain', URL, "it's", null)
    expect(curlFor(call)).to.equal(`curl -d '{"text":"it'\\''s"}' \\\n  '${URL}'`)
  })
})
