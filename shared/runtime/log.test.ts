import { expect } from 'chai'
import { errorFields, messageWithoutValues } from './log.ts'

/** An error with the fields of a library. */
const error = (message: string, fields: object) => Object.assign(new Error(message), fields)

describe('errors in the log', () => {
  it('have no arguments of Redis commands, and no values of rows', () => {
    const refused = error('OOM command not allowed', {
      command: { name: 'set', args: ['session', 'heather'] },
    })
    const duplicate = error('duplicate key value violates unique constraint "users_pkey"', {
      code: '23505',
      constraint: 'users_pkey',
      detail: 'Key (name)=(heather) already exists.',
      where: 'heather',
    })
    for (const err of [refused, duplicate, error('outer', { cause: duplicate })])
      expect(JSON.stringify(errorFields(err))).to.not.include('heather')
    expect(errorFields(duplicate)).to.include({ code: '23505', constraint: 'users_pkey', type: 'Error' })
    expect(errorFields(error('outer', { cause: refused }))).to.have.nested.property(
      'cause.message',
      'OOM command not allowed',
    )
  })

  it('have no value that PostgreSQL or a parser quotes, also not in the stack', () => {
    const value = error('invalid input syntax for type bigint: "heather"', { code: '22P02' })
    let syntax: unknown
    try {
      JSON.parse('heather')
    } catch (err) {
      syntax = err
    }
    for (const err of [value, syntax]) expect(JSON.stringify(errorFields(err))).to.not.include('heather')
    expect(errorFields(value)).to.include({ message: 'invalid input syntax for type bigint: "…"' })
  })

  it('are told to operators without values too, in the languages of servers', () => {
    const told = (message: string, code: string) => messageWithoutValues(error(message, { code }))
    expect(told('ungültige Eingabesyntax für Typ bigint: »heather«', '22P02')).to.equal(
      'ungültige Eingabesyntax für Typ bigint: "…"',
    )
    expect(told('invalid byte sequence for encoding "UTF8": 0x68 0x65', '22021')).to.not.include('68')
    expect(told('heather may not "heather"', 'P0001')).to.equal('heather may not "…"')
    const missing = 'relation "messages" does not exist'
    expect(told(missing, '42P01')).to.equal(missing)
    const refused = error('connect ECONNREFUSED 127.0.0.1:5432', { code: 'ECONNREFUSED' })
    expect(messageWithoutValues(new AggregateError([refused, refused]))).to.equal(refused.message)
  })

  it('may be anything that was thrown', () => {
    for (const thrown of ['heather', undefined, { text: 'heather' }])
      expect(JSON.stringify(errorFields(thrown))).to.not.include('heather')
  })
})
