import { expect } from 'chai'
import { InvalidPayload } from '#shared/domain/slack-values.ts'
import { answerOf } from './post-answer.ts'

describe('answers to outgoing hooks (interface 19.5)', () => {
  const of = (body: string, cut = false) => answerOf({ body, cut }, 100)

  it('are JSON with a text or attachments, and mention everyone never', () => {
    expect(of('{"text": "hi <!channel>"}')).to.include({ content: 'hi everyone', isComment: false })
    expect(of('{"text": "hi", "response_type": "comment"}')).to.include({ content: 'hi', isComment: true })
    expect(of('{"attachments": [{"title": "Build"}]}')).to.include({ content: 'Build', cardsAt: 0 })
  })

  it('are nothing in another form', () => {
    for (const body of ['', 'ok', '"text"', '[]', '{"ok": true}', '{"text": ""}', '{"blocks": []}'])
      expect(of(body), body).to.equal(undefined)
    expect(of('{"text": "cut off', true)).to.equal(undefined)
    for (const body of [
      '{"text": {}}',
      '{"attachments": "x"}',
      '{"text": "a"',
      '{"text": "a", "response_type": []}',
    ])
      expect(() => of(body), body).to.throw(InvalidPayload)
  })
})
