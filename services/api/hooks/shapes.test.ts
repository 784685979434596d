import { createHmac } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import { ROOT } from '#shared/runtime/config.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

interface Recorded {
  headers: Record<string, string>
  body: object
}

const FOLDER = join(ROOT, 'shared/domain/hook-shapes/payloads')
const recorded = (path: string) => JSON.parse(readFileSync(join(FOLDER, path), 'utf8')) as Recorded

describe('recorded posts of other programs', function () {
  this.timeout(60_000)
  let world: World
  before(async () => {
    world = await newWorld()
  })
  after(() => world.end())

  async function makeHook(): Promise<{ id: number; url: string }> {
    const made = await world.ada.postJson('/hooks_in', { name: 'Shapes', channel: 'general' })
    const { id, url } = (await made.json()) as { id: number; url: string }
    return { id, url: world.api[0]!.url + new URL(url).pathname }
  }
  const post = (url: string, { headers, body }: Recorded, more: Record<string, string> = {}) =>
    fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers, ...more },
      body: JSON.stringify(body),
    })
  const messageOf = async (response: Response) => {
    expect(await response.text()).to.equal('ok')
    const id = Number(response.headers.get('X-Message-Id'))
    return (await world.bob.messages('general')).find(row => row.id === id)!
  }

  it('A3: are messages or left out, with and without the name of their shape', async () => {
    const { url } = await makeHook()
    const files = globSync('*/*.json', { cwd: FOLDER })
    expect(files.length).to.be.above(30)
    for (const file of files)
      for (const address of [url, `${url}/${dirname(file)}`]) {
        const response = await post(address, recorded(file))
        expect([response.status, await response.text()], file).to.deep.equal([200, 'ok'])
        const { headers } = response
        expect(headers.has('X-Message-Id') || headers.has('X-Ignored'), basename(file)).to.equal(true)
      }
    expect((await post(url, recorded('github/ping.json'))).headers.get('X-Ignored')).to.equal('ping')
  })

  it('may be forms with the JSON as payload, which Gitea signs alone', async () => {
    const { id, url } = await makeHook()
    const made = await world.ada.postJson(`/hooks_in/${id}/sign_secret`, {})
    const { secret } = (await made.json()) as { secret: string }
    const mac = (text: string) => createHmac('sha256', secret).update(text).digest('hex')
    for (const [file, headersOf] of [
      ['github/push.json', (form: string) => ({ 'X-Hub-Signature-256': `sha256=${mac(form)}` })],
      ['gitea/push.json', (_form: string, json: string) => ({ 'X-Gitea-Signature': mac(json) })],
    ] as const) {
      const { headers, body } = recorded(file)
      const json = JSON.stringify(body, null, 2)
      const form = new URLSearchParams({ payload: json }).toString()
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/x-www-form-urlencoded',
          ...headersOf(form, json),
        },
        body: form,
      })
      expect((await messageOf(response)).content, file).to.match(/^\*ada\* pushed /)
    }
  })

  it('reply to the failure when it is over', async () => {
    const { url } = await makeHook()
    for (const [failed, recovered] of [
      ['alertmanager/firing.json', 'alertmanager/resolved.json'],
      ['github/workflow_failed.json', 'github/workflow_recovered.json'],
    ] as const) {
      const failure = await messageOf(await post(url, recorded(failed)))
      const recovery = await messageOf(await post(url, recorded(recovered)))
      expect(recovery.reply_to_id, recovered).to.equal(failure.id)
    }
    // Told once: a success alone is nothing new.
    const again = await post(url, recorded('github/workflow_recovered.json'))
    expect([again.status, again.headers.get('X-Ignored')]).to.deep.equal([200, 'recovered'])
  })

  it('A4: need the signature of their program once the hook has a secret', async () => {
    const { id, url } = await makeHook()
    const made = await world.ada.postJson(`/hooks_in/${id}/sign_secret`, {})
    const { secret } = (await made.json()) as { secret: string }
    const before = (await world.bob.messages('general')).length
    const schemes = [
      ['github/push.json', 'X-Hub-Signature-256', 'sha256='],
      ['gitea/push.json', 'X-Gitea-Signature', ''],
      ['gitea/forgejo_push.json', 'X-Forgejo-Signature', ''],
      ['bitbucket/push.json', 'X-Hub-Signature', 'sha256='],
      ['jira/created.json', 'X-Hub-Signature', 'sha256='],
      ['grafana/firing.json', 'X-Grafana-Alerting-Signature', ''],
      ['sentry/event_alert.json', 'Sentry-Hook-Signature', ''],
      ['alertmanager/firing.json', 'X-Nothing', ''],
    ] as const
    for (const [file, header, prefix] of schemes) {
      const body = JSON.stringify(recorded(file).body)
      for (const key of [`${secret}x`, secret]) {
        const signature = prefix + createHmac('sha256', key).update(body).digest('hex')
        const response = await post(url, recorded(file), { [header]: signature })
        const isRight = key === secret && header !== 'X-Nothing'
        expect(await response.text(), `${file} ${key}`).to.equal(isRight ? 'ok' : 'invalid_signature')
      }
    }
    const gitlab = recorded('gitlab/push.json')
    expect((await post(url, gitlab, { 'X-Gitlab-Token': 'x' })).status).to.equal(403)
    expect((await post(url, gitlab, { 'X-Gitlab-Token': secret })).status).to.equal(200)
    const time = '1793520000'
    const { body } = recorded('grafana/resolved.json')
    for (const signedTime of ['1793520001', time]) {
      const signature = createHmac('sha256', secret).update(`${signedTime}:${JSON.stringify(body)}`)
      const response = await post(url, recorded('grafana/resolved.json'), {
        'X-Grafana-Alerting-Timestamp': time,
        'X-Grafana-Alerting-Signature': signature.digest('hex'),
      })
      expect(response.status, signedTime).to.equal(signedTime === time ? 200 : 403)
    }
    // The right ones alone: seven of the schemes, GitLab's and the timed one.
    expect((await world.bob.messages('general')).length - before).to.equal(9)
  })

  it('take the secret that their program made', async () => {
    const { id, url } = await makeHook()
    const keys = ['a1b2c3d4e5f60718293a4b5c6d7e8f90', `whsec_${Buffer.alloc(32, 7).toString('base64')}`]
    const setSecret = (secret: unknown) => world.ada.postJson(`/hooks_in/${id}/sign_secret`, { secret })
    const alert = JSON.stringify(recorded('sentry/event_alert.json').body)
    for (const [key, sent] of [
      [keys[0]!, `${keys[0]}\n`],
      [keys[1]!, keys[1]!],
    ] as const) {
      const made = await setSecret(sent)
      expect([made.status, await made.json()]).to.deep.equal([200, { secret: key }])
      const signature = createHmac('sha256', key).update(alert).digest('hex')
      const response = await post(url, recorded('sentry/event_alert.json'), {
        'Sentry-Hook-Signature': signature,
      })
      expect((await messageOf(response)).sender).to.match(/^shapes-hook/)
    }
    const push = recorded('gitlab/push.json')
    const now = new Date()
    for (const key of [keys[0]!, keys[1]!]) {
      const response = await post(url, push, {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(key, key === keys[0] ? { format: 'raw' } : {}).sign(
          'msg_1',
          now,
          JSON.stringify(push.body),
        ),
      })
      expect(response.status).to.equal(key === keys[1] ? 200 : 403)
    }
    for (const wrong of [
      '',
      'seven77',
      ' seven77 ',
      'x'.repeat(201),
      'two\nlines',
      12345678,
      null,
      ['12345678'],
    ])
      expect((await setSecret(wrong)).status, JSON.stringify(wrong)).to.equal(400)
    // The secret is still the former.
    const signature = createHmac('sha256', keys[1]!).update(alert).digest('hex')
    const still = await post(url, recorded('sentry/event_alert.json'), { 'Sentry-Hook-Signature': signature })
    expect(still.status).to.equal(200)
  })
})
