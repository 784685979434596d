import { expect } from 'chai'
import { isWider } from './audience.ts'

describe('forwarding to more readers', () => {
  it('is never so from a public channel or within a channel', () => {
    expect(isWider('general', 'private:1', [])).to.equal(false)
    expect(isWider('private:1', 'private:1', [])).to.equal(false)
  })

  it('is so from a private channel or a DM to all but conversations of its readers', () => {
    expect(isWider('private:1', 'general', ['ada', 'bob'])).to.equal(true)
    expect(isWider('private:1', 'private:2', ['ada', 'bob'])).to.equal(true)
    expect(isWider('private:1', 'dm:ada:bob', ['ada', 'bob'])).to.equal(false)
    expect(isWider('private:1', 'dm:ada:cleo', ['ada', 'bob'])).to.equal(true)
    expect(isWider('dm:ada:bob', 'general', [])).to.equal(true)
    expect(isWider('dm:ada:bob', 'dm:ada:bob:cleo', [])).to.equal(true)
    expect(isWider('dm:ada:bob:cleo', 'dm:ada:bob', [])).to.equal(false)
  })
})
