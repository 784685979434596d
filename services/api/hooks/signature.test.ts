import { createHmac } from 'node:crypto'
import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import { isSigned } from './signature.ts'

const SECRET = `whsec_${Buffer.from('of the hook, of thirty-two bytes').toString('base64')}`
const NOW = 1_793_520_000
const BODY = '{"ref":"refs/heads/main","text":"Grüße"}'
const FORM = new URLSearchParams({ payload: BODY }).toString()
const TYPE_OF_FORM = { 'content-type': 'application/x-www-form-urlencoded' }

const mac = (text: string, secret = SECRET) => createHmac('sha256', secret).update(text).digest('hex')
const isRight = (headers: Record<string, string>, body = BODY) =>
  isSigned(SECRET, Buffer.from(body), headers, NOW)

describe('the signature of a post to a hook', () => {
  const schemes: [program: string, headersOf: (secret: string) => Record<string, string>, body?: string][] = [
    ['GitHub', secret => ({ 'x-hub-signature-256': `sha256=${mac(BODY, secret)}` })],
    [
      'GitHub with a form',
      secret => ({ ...TYPE_OF_FORM, 'x-hub-signature-256': `sha256=${mac(FORM, secret)}` }),
      FORM,
    ],
    ['Bitbucket and Jira', secret => ({ 'x-hub-signature': `sha256=${mac(BODY, secret)}` })],
    ['Gitea', secret => ({ 'x-gitea-signature': mac(BODY, secret), 'x-hub-signature': 'sha1=x' })],
    ['Gitea with a form', secret => ({ ...TYPE_OF_FORM, 'x-gitea-signature': mac(BODY, secret) }), FORM],
    ['Forgejo', secret => ({ 'x-forgejo-signature': mac(BODY, secret) })],
    ['Forgejo with a form', secret => ({ ...TYPE_OF_FORM, 'x-forgejo-signature': mac(FORM, secret) }), FORM],
    ['Sentry', secret => ({ 'sentry-hook-signature': mac(BODY, secret) })],
    ['Grafana', secret => ({ 'x-grafana-alerting-signature': mac(BODY, secret) })],
    [
      'Grafana with a time',
      secret => ({
        'x-grafana-alerting-timestamp': '1793520000',
        'x-grafana-alerting-signature': mac(`1793520000:${BODY}`, secret),
      }),
    ],
    ['GitLab', secret => ({ 'x-gitlab-token': secret })],
  ]
  for (const [program, headersOf, body] of schemes)
    it(`of ${program} is right with the secret of the hook alone`, () => {
      expect(isRight(headersOf(SECRET), body)).to.equal(true)
      for (const other of [`${SECRET}x`, SECRET.slice(0, -1), 'x'])
        expect(isRight(headersOf(other), body), other).to.equal(false)
    })

  it('is wrong for another body, time or form of the header', () => {
    const right = mac(BODY)
    for (const headers of [
      {},
      { 'x-hub-signature-256': right },
      { 'x-hub-signature-256': `sha1=${createHmac('sha1', SECRET).update(BODY).digest('hex')}` },
      { 'x-gitea-signature': '' },
      { 'x-gitea-signature': right.toUpperCase() },
      { 'x-forgejo-signature': `sha256=${right}` },
      { 'x-gitlab-token': '' },
      { 'x-gitlab-token': right },
      { 'x-grafana-alerting-timestamp': '1', 'x-grafana-alerting-signature': right },
      { 'x-grafana-alerting-timestamp': '1', 'x-grafana-alerting-signature': mac(`2:${BODY}`) },
      { 'x-nothing': right },
    ])
      expect(isRight(headers as Record<string, string>), JSON.stringify(headers)).to.equal(false)
    expect(isRight({ 'x-gitea-signature': right }, BODY.replace('main', 'other'))).to.equal(false)
  })

  it('of a payload does not cover JSON that is read in its place', () => {
    const forged = `{"text":"other","x":"&payload=${encodeURIComponent(BODY)}"}`
    expect(isRight({ ...TYPE_OF_FORM, 'x-gitea-signature': mac(BODY) }, forged)).to.equal(false)
    const other = `${new URLSearchParams({ payload: '{"text":"other"}' })}&${FORM}`
    expect(isRight({ ...TYPE_OF_FORM, 'x-gitea-signature': mac(BODY) }, other)).to.equal(false)
  })

  describe('of Standard Webhooks', () => {
    const signedBy = (secret: string, time = NOW) => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(time),
      'webhook-signature': new Webhook(secret).sign('msg_1', new Date(time * 1000), BODY),
    })
    const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`

    it('is right with the secret of the hook alone, also beside one of a former secret', () => {
      const right = signedBy(SECRET)
      expect(isRight(right)).to.equal(true)
      expect(isRight(signedBy(other))).to.equal(false)
      const both = `${signedBy(other)['webhook-signature']} ${right['webhook-signature']}`
      expect(isRight({ ...right, 'webhook-signature': both })).to.equal(true)
    })

    it('covers id, time and body', () => {
      const right = signedBy(SECRET)
      for (const headers of [
        { ...right, 'webhook-id': 'msg_2' },
        { ...right, 'webhook-timestamp': String(NOW + 1) },
        { ...right, 'webhook-id': '' },
        { 'webhook-signature': right['webhook-signature'] },
        { ...right, 'webhook-signature': right['webhook-signature'].replace('v1,', '') },
        { ...right, 'webhook-signature': '' },
      ])
        expect(isRight(headers as Record<string, string>), JSON.stringify(headers)).to.equal(false)
      expect(isRight(right, `${BODY} `)).to.equal(false)
    })

    it('is wrong five minutes later or earlier', () => {
      for (const [time, isStill] of [
        [NOW - 300, true],
        [NOW - 301, false],
        [NOW + 300, true],
        [NOW + 301, false],
      ] as const)
        expect(isRight(signedBy(SECRET, time)), String(time - NOW)).to.equal(isStill)
    })

    it('needs a secret in its form, whose key has at least 24 bytes', () => {
      for (const secret of ['!!!!!!!!', 'password1', 'whsec_', 'whsec_YQ==', `whsec_${'A'.repeat(31)}`]) {
        const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
        const mac = createHmac('sha256', key).update(`msg_1.${NOW}.${BODY}`).digest('base64')
        const headers = { ...signedBy(SECRET), 'webhook-signature': `v1,${mac}` }
        expect(isSigned(secret, Buffer.from(BODY), headers, NOW), secret).to.equal(false)
      }
    })
  })

  it('is the token of GitLab in any writing', () => {
    const secret = 'Geheimnis für Grüße'
    const headers = { 'x-gitlab-token': Buffer.from(secret).toString('latin1') }
    expect(isSigned(secret, Buffer.from(BODY), headers, NOW)).to.equal(true)
  })
})
