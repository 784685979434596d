import { expect } from 'chai'
import { ConfigurationError, readConfig, readStunConfig } from './config.ts'

describe('the configuration', () => {
  const SECRET = 'k'.repeat(32)
  const env = { DATABASE_URL: 'postgres://db/x', REDIS_URL: 'redis://cache', SESSION_SECRET: SECRET }

  it('refuses a session secret shorter than 32 characters, naming its variable', () => {
    expect(() => readConfig({ ...env, SESSION_SECRET: 'k'.repeat(31) })).to.throw(
      'SESSION_SECRET=(31 characters) is not usable. Allowed: at least 32 characters,',
    )
    expect(() => readConfig({ ...env, SESSION_SECRET_PREVIOUS: 'short' })).to.throw(
      'SESSION_SECRET_PREVIOUS=(5 characters) is not usable. Allowed: at least 32 characters,',
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
    expect(() => readConfig(wrong))
      .to.throw(ConfigurationError)
      .with.property('faults')
      .that.satisfies((faults: string[]) => {
        expect(faults.map(fault => fault.split(/[ =]/, 1)[0])).to.deep.equal([
          'DATABASE_URL',
          'REDIS_URL',
          'FILES_URL',
          'PUBLIC_URL',
          'PORT',
          'SESSION_SECRET',
        ])
        return true
      })
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
        'DATABASE_URL=postgres://…@a:5432,b:5432/bothy?target_session_attrs=standby is not usable. Allowed: postgres://user:password@host:port/database; several hosts as host1:port,host2:port, with target_session_attrs=read-write or without it. Correct it.',
        'REDIS_URL=redis+sentinel://…@a,b is not usable. Allowed: redis://user:password@host:port, or the sentinels as redis+sentinel://host1:port,host2:port/name; rediss encrypts; Redis Cluster is not supported. Correct it.',
        'METRICS_PORT=99999 is not usable. Allowed: an integer from 1 to 65535. Correct or remove it.',
        'LOG_LEVEL=verbose is not usable. Allowed: debug, info, warn or error. Correct or remove it.',
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
      'STUN_BIND=office is not usable. Allowed: IP addresses of this machine,',
    )
  })
})
