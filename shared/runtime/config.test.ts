import { expect } from 'chai'
import { readConfig } from './config.ts'

describe('the configuration', () => {
  const SECRET = 'k'.repeat(32)
  const env = { DATABASE_URL: 'postgres://db/x', REDIS_URL: 'redis://cache', SESSION_SECRET: SECRET }

  it('refuses a session secret shorter than 32 characters, naming its variable', () => {
    expect(() => readConfig({ ...env, SESSION_SECRET: 'k'.repeat(31) })).to.throw(
      /SESSION_SECRET: at least 32 characters are needed, 31 were given/,
    )
    expect(() => readConfig({ ...env, SESSION_SECRET_PREVIOUS: 'short' })).to.throw(
      /SESSION_SECRET_PREVIOUS: at least 32 characters/,
    )
  })

  it('accepts a previous session secret beside the current one', () => {
    expect(readConfig(env).previousSessionSecret).to.equal(undefined)
    const previous = 'p'.repeat(40)
    expect(readConfig({ ...env, SESSION_SECRET_PREVIOUS: previous })).to.include({
      sessionSecret: SECRET,
      previousSessionSecret: previous,
    })
  })

  it('takes host names from ALLOWED_HOSTS and refuses malformed ones', () => {
    expect(readConfig(env).allowedHosts).to.deep.equal([])
    expect(readConfig({ ...env, ALLOWED_HOSTS: 'Chat.Example.net, bothy_api' }).allowedHosts).to.deep.equal([
      'chat.example.net',
      'bothy_api',
    ])
    for (const wrong of ['https://chat.example.net', 'chat.example.net:80', '*', 'a/b']) {
      expect(() => readConfig({ ...env, ALLOWED_HOSTS: wrong }), wrong).to.throw(/ALLOWED_HOSTS/)
    }
  })
})
