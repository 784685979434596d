import { expect } from 'chai'
import '../../i18n/english.fixture.ts'
import { fieldsOf, targetText } from './audit-fields.ts'

describe('an entry of the audit log in words', () => {
  it('names a setting, with its values before and after', () => {
    const act = {
      action: 'setting.changed',
      target: 'max_upload_size_mb',
      detail: { old: 100, new: 200, max_request_size_mb: 201 },
    }
    expect(targetText(act)).to.equal('Largest file, 100 MiB to 200 MiB')
    expect(fieldsOf(act, id => `#${id}`)).to.deep.equal([
      ['Before', '100 MiB'],
      ['After', '200 MiB'],
      ['Largest request', '201 MiB'],
    ])
  })

  it('names the choices of a setting, and an accent or logo that was not there', () => {
    const mode = { action: 'setting.changed', target: 'signup_mode', detail: { old: 'open', new: 'invite' } }
    expect(targetText(mode)).to.equal('Who gets an account, Anyone to With a link')
    const accent = { action: 'setting.changed', target: 'accent', detail: { old: null, new: '#8a2be2' } }
    expect(targetText(accent)).to.equal('Accent, Teal to #8a2be2')
    const logo = { action: 'setting.changed', target: 'logo', detail: { old: false, new: true } }
    expect(targetText(logo)).to.equal('Logo, None to A picture')
    expect(targetText({ ...logo, detail: { old: true, new: true } })).to.equal('Logo')
  })

  it('names roles, changed parts of a profile and a new name', () => {
    const role = { action: 'person.role', target: 'bob', detail: { to: 'admin', from: 'member' } }
    expect(targetText(role)).to.equal('bob, Member to Admin')
    expect(fieldsOf(role, id => `#${id}`)).to.deep.equal([
      ['Before', 'Member'],
      ['After', 'Admin'],
    ])
    const profile = { action: 'person.profile', target: 'bob', detail: { fields: ['title', 'email'] } }
    expect(fieldsOf(profile, id => `#${id}`)).to.deep.equal([['Changed', 'Title, E-mail']])
    const renamed = { action: 'person.renamed', target: 'bob', detail: { from: 'bob', to: 'robert' } }
    expect(targetText(renamed)).to.equal('bob to robert')
  })

  it('names what else an act noted, and shows unknown detail as it is', () => {
    const invite = { action: 'invite.created', target: '7', detail: { role: 'guest', channels: ['design'] } }
    expect(targetText(invite)).to.equal('Link 7')
    expect(fieldsOf(invite, id => `#${id}`)).to.deep.equal([
      ['Role', 'Guest'],
      ['Channels', '#design'],
    ])
    const group = {
      action: 'group.changed',
      target: 'firmware',
      detail: { name: { from: 'Firm', to: 'Firmware team' }, added: ['li', 'per'] },
    }
    expect(fieldsOf(group, id => `#${id}`)).to.deep.equal([
      ['Name', 'Firm to Firmware team'],
      ['Added', 'li, per'],
    ])
    const later = { action: 'later.act', target: null, detail: { depth: { metres: 3 } } }
    expect(targetText(later)).to.equal(undefined)
    expect(fieldsOf(later, id => `#${id}`)).to.deep.equal([['depth', '{"metres":3}']])
  })
})
