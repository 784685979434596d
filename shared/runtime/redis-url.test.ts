import { expect } from 'chai'
import { isRedisUrl, redisHostsOf, sentinelsOf } from './redis-url.ts'

describe('the address of Redis', () => {
  it('may name sentinels, with their name of the primary', () => {
    expect(
      sentinelsOf('redis+sentinel://previews:h%40ther@a,[::1]:26380/office?db=2&sentinel_password=x'),
    ).to.deep.equal({
      sentinels: [
        { host: 'a', port: 26_379 },
        { host: '::1', port: 26_380 },
      ],
      name: 'office',
      username: 'previews',
      password: 'h@ther',
      sentinelPassword: 'x',
      db: 2,
      isEncrypted: false,
    })
    expect(sentinelsOf('rediss+sentinel://:heather@a/office')).to.include({
      password: 'heather',
      isEncrypted: true,
    })
    expect(sentinelsOf('redis://a')).to.equal(undefined)
  })

  it('is refused if it cannot be used', () => {
    for (const good of ['redis://a', 'rediss://:x@a:1/2', 'redis+sentinel://a,b,c/office'])
      expect(isRedisUrl(good), good).to.equal(true)
    for (const bad of [
      'http://a',
      'redis://a,b:1,c',
      'redis+sentinel://a,b',
      'redis+sentinel://a,,b/office',
      'redis+sentinel://a:x/office',
      'redis+sentinel://a/office?db=x',
      'redis+sentinel://a/office?other=1',
      'redis+sentinel:///office',
    ])
      expect(isRedisUrl(bad), bad).to.equal(false)
  })

  it('has hosts that a command asks first', () => {
    expect(redisHostsOf('redis+sentinel://a,b:1/office')).to.deep.equal([
      { host: 'a', port: 26_379 },
      { host: 'b', port: 1 },
    ])
    expect(redisHostsOf('redis://c')).to.deep.equal([{ host: 'c', port: 6379 }])
  })
})
