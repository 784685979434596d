import { expect } from 'chai'
import { ownLink } from './own-links.ts'

describe('links to this server in texts', () => {
  const page = { origin: 'https://chat.example', pathname: '/' }
  const of = (href: string) => ownLink(href, page)

  it('lead to messages and channels', () => {
    expect(of('https://chat.example/m/610')).to.deep.equal({ hash: undefined, message: 610 })
    expect(of('https://chat.example/#/c/general/m/5')).to.deep.equal({ hash: '#/c/general/m/5', message: 5 })
    expect(of('https://chat.example/#/d/ada,bob')).to.deep.equal({ hash: '#/d/ada,bob', message: undefined })
  })

  it('are not those to other servers, other pages or nothing', () => {
    for (const href of [
      'https://chat.example.evil/m/610',
      'https://chat.example@evil.example/m/610',
      'http://chat.example/m/610',
      'https://chat.example/m/0',
      'https://chat.example/m/1/x',
      'https://chat.example/m/1?next=x',
      'https://chat.example/files/a.png',
      'https://chat.example/logout#/c/general',
      'https://chat.example/#/nonsense',
      'https://chat.example/',
      'mailto:ada@chat.example',
    ])
      expect(of(href), href).to.equal(undefined)
  })
})
