import { expect } from 'chai'
import { besides, databaseOf, isDatabaseUrl, serversOf, withDatabase, withRole } from './database-url.ts'

describe('the address of a database', () => {
  const list = 'postgres://ada:a%40b@one:5432,[::1]:5433,three/bothy?target_session_attrs=read-write'

  it('may name several servers', () => {
    expect(serversOf(list)).to.deep.equal([
      'postgres://ada:a%40b@one:5432/bothy?target_session_attrs=read-write',
      'postgres://ada:a%40b@[::1]:5433/bothy?target_session_attrs=read-write',
      'postgres://ada:a%40b@three/bothy?target_session_attrs=read-write',
    ])
    expect(serversOf('postgres://ada@one/a,b')).to.deep.equal(['postgres://ada@one/a,b'])
  })

  it('changes its database and its role, and keeps its servers', () => {
    expect(databaseOf(list)).to.equal('bothy')
    expect(withDatabase(list, 'other')).to.equal(
      'postgres://ada:a%40b@one:5432,[::1]:5433,three/other?target_session_attrs=read-write',
    )
    expect(withRole(list, 'cleo', 'h@ther')).to.equal(
      'postgres://cleo:h%40ther@one:5432,[::1]:5433,three/bothy?target_session_attrs=read-write',
    )
    expect(besides('postgres://a,b/postgres')).to.equal('postgres://a,b/template1')
    expect(withDatabase('postgres://ada@one:5432/bothy', 'other')).to.equal('postgres://ada@one:5432/other')
  })

  it('is refused with a list that cannot be used', () => {
    for (const good of [
      list,
      'postgres://a/b',
      'postgres://a,b/c',
      'postgresql://a,b/c?target_session_attrs=primary',
    ])
      expect(isDatabaseUrl(good), good).to.equal(true)
    for (const bad of [
      'postgres://a:x,b/c',
      'postgres://a,,b/c',
      'postgres://a,b:99999/c',
      'postgres://a,b/c?target_session_attrs=any',
      'postgres://a/c?target_session_attrs=standby',
    ])
      expect(isDatabaseUrl(bad), bad).to.equal(false)
  })
})
