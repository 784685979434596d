import { expect } from 'chai'
import { ConfigurationError, readConfig, readStunConfig } from './config.ts'

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

  it('reports all faults together', () => {
    const wrong = {
      SESSION_SECRET: 'short',
      PORT: 'x',
      PUBLIC_URL: 'ftp://a',
      FILES_URL: 'ftp://b',
      REDIS_URL: '',
    }
    expect(() => readConfig(wrong)).to.throw(
      [
        'Configuration:',
        'DATABASE_URL is missing',
        'REDIS_URL is missing',
        'PORT: an integer from 0 to 65535 is wanted, not “x”',
        'FILES_URL: file:///folder or s3://bucket/prefix?endpoint=https://…&region=… is wanted',
        'PUBLIC_URL: an http or https address is wanted, not “ftp://a”',
        'SESSION_SECRET: at least 32 characters are needed, 5 were given',
      ].join('\n  '),
    )
  })

  it('refuses addresses of stores that cannot be used, without repeating a password', () => {
    const wrong = {
      ...env,
      DATABASE_URL: 'postgres://bothy:heather@a:5432,b:5432/bothy?target_session_attrs=standby',
      REDIS_URL: 'redis+sentinel://:heather@a,b',
      LOG_LEVEL: 'verbose',
      METRICS_PORT: '99999',
    }
    expect(() => readConfig(wrong))
      .to.throw(ConfigurationError)
      .with.property('faults')
      .that.deep.equals([
        'DATABASE_URL: postgres://user:password@host:port/database is wanted; several hosts as host1:port,host2:port, with target_session_attrs=read-write or none',
        'REDIS_URL: redis://host:port is wanted, or the sentinels as redis+sentinel://host1:port,host2:port/name; rediss encrypts; Redis Cluster is not supported',
        'LOG_LEVEL: debug, info, warn or error is wanted, not “verbose”',
        'METRICS_PORT: an integer from 1 to 65535 is wanted, not “99999”',
      ])
  })

  it('has defaults, also for empty variables', () => {
    const config = readConfig({ ...env, PORT: '', PUBLIC_URL: '', STUN_PORT: '', REDIS_PREFIX: '' })
    expect(config).to.include({ port: 0, trustProxy: 0, redisPrefix: '', passwordIterations: 600_000 })
    expect([config.publicUrl, config.stunPort, config.stackId]).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ])
    expect(config).to.be.frozen
    expect(readConfig(env).redisPrefix).to.equal('bothy:')
  })

  it('takes addresses of the STUN responder', () => {
    expect(readStunConfig({ STUN_BIND: '10.0.0.1, ::1', STUN_WORKERS: '2' })).to.deep.include({
      bind: ['10.0.0.1', '::1'],
      workers: 2,
    })
    expect(() => readStunConfig({ STUN_BIND: 'office' })).to.throw(
      'STUN_BIND: addresses are wanted, not “office”',
    )
  })
})
