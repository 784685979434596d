import { expect } from 'chai'
import { nextPath, signInPath } from './next-path.ts'

describe('the page after signing in', () => {
  it('is a path on this server, with its query and fragment', () => {
    for (const path of ['/m/12', '/#/c/design/m/500', '/?a=b#/d/ada,bob', '/#/c/gr%C3%B6%C3%9Fe', '/#//x'])
      expect(nextPath(path)).to.equal(path)
  })

  it('is the start page for every address that a browser reads as another server', () => {
    for (const path of [
      '//evil.example',
      '///evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/\t/evil.example',
      '/\n/evil.example',
      '\t//evil.example',
      ' //evil.example',
      '/.//evil.example',
      '/x/..//evil.example',
      '/%2e//evil.example',
      '/x/\\..\\\\evil.example',
      'https://evil.example',
      'https:evil.example',
      'javascript:alert(1)',
      'evil.example',
      '@evil.example',
      '#/c/general',
      '?next=/',
      '',
      '/\0',
      '/\u0085/evil.example',
    ])
      expect(nextPath(path), JSON.stringify(path)).to.equal('/')
  })

  it('is the start page for values that are no text, or too long', () => {
    for (const value of [undefined, null, 5, ['/m/1'], { path: '/m/1' }, `/${'x'.repeat(2_000)}`])
      expect(nextPath(value)).to.equal('/')
  })

  it('neither signs out again nor asks for the password again', () => {
    for (const path of ['/logout', '/login', '/signup', '/LOGIN?next=/logout', '/x/../logout', '/login/'])
      expect(nextPath(path)).to.equal('/')
    expect(nextPath('/m/5?from=/logout')).to.equal('/m/5?from=/logout')
  })

  it('is part of the address of the sign-in page', () => {
    expect(signInPath('/login', '/')).to.equal('/login')
    expect(signInPath('/signup', '/#/c/a&b')).to.equal('/signup?next=%2F%23%2Fc%2Fa%26b')
  })
})
