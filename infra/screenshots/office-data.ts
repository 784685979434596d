/** Adds to the demo data what the screens of administration and of one's own sidebar show. */
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { CALLER, VIEWER } from './demo-data.ts'

/** The viewer is the first account, and so the owner. Returns the code of an invitation that is valid. */
export async function seedAdministration(url: string, people: Map<string, Person>): Promise<string> {
  const by = (name: string) => people.get(name)!
  const viewer = by(VIEWER)
  await viewer.patchJson('/me', { title: 'Hydrologist' })
  await by(CALLER).patchJson('/me', {
    display_name: 'Tomasz Kowalczyk',
    title: 'Firmware',
    timezone: 'Europe/Warsaw',
  })
  await by('okonkwo').patchJson('/me', { display_name: 'Ada Okonkwo', title: 'Field operations' })
  await by('li-wen').fetch('/status', json('PUT', { emoji: '🏠', text: 'Working from home' }))
  await by('okonkwo').fetch(
    '/status',
    json('PUT', { emoji: '🚲', text: 'On the way to the dam', for_minutes: 60 }),
  )

  await viewer.postJson('/public_channels', {
    name: 'Night shift',
    topic: 'Who watches the gauges tonight',
    description: 'Handover at 22:00. Say what is open.',
  })
  await viewer.postJson('/public_channels', {
    name: 'Announcements',
    posting: 'managers',
    topic: 'Read, do not write',
  })
  await viewer.send('announcements', 'The office is closed on Friday.')
  await by(CALLER).postJson('/public_channels', { name: 'Sensor bench', topic: 'Calibration runs' })
  await viewer.postJson('/public_channels', { name: 'Old rig' })
  await viewer.postJson('/channel_info/old-rig/archive', {})
  for (const name of ['Offsite 2025', 'Weir rebuild']) {
    const made = await viewer.postJson('/private_channels/create', { name, members: [CALLER] })
    const { id: number } = (await made.json()) as { id: number }
    await viewer.postJson(`/channel_info/private:${number}/archive`, {})
  }
  await viewer.patchJson('/channel_info/engineering', { topic: 'Firmware, gauges, releases' })

  const response = await viewer.postJson('/sections', { name: 'On call' })
  const { id } = (await response.json()) as { id: number }
  await viewer.patchJson('/channel_prefs/field-ops', { section: id })
  await viewer.patchJson('/channel_prefs/night-shift', { section: id })
  await viewer.patchJson('/channel_prefs/engineering', { favourite: true })

  await viewer.postJson('/groups', { handle: 'firmware', name: 'Firmware team', members: [CALLER, 'li-wen'] })
  const member = await viewer.postJson('/invites', {
    role: 'member',
    channels: ['design'],
    note: 'New colleagues',
    max_uses: 50,
  })
  const invitation = (await member.json()) as { code: string }
  const guest = await viewer.postJson('/invites', { role: 'guest', channels: ['design'], max_uses: 1 })
  const { code } = (await guest.json()) as { code: string }
  await signUp(new Person('gail', url), { invite: code })

  await viewer.patchJson('/admin/settings', { signup_mode: 'approval', workspace_name: 'Riverwatch' })
  for (const name of ['oskar', 'petra']) await signUp(new Person(name, url), {})
  await viewer.patchJson('/admin/settings', { signup_mode: 'invite' })

  const removed = await by('li-wen').send('design', 'Buy cheap gauges at gauges.example')
  await viewer.postJson(`/moderate/delete/${removed}`, { reason: 'Advertising' })
  return invitation.code
}

const json = (method: string, body: unknown): RequestInit => ({
  method,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

/** The page of the answer may be that of a person who waits for approval. */
const signUp = (person: Person, more: Record<string, string>) =>
  person.postForm('/signup', {
    username: person.name,
    password: PASSWORD,
    confirm_password: PASSWORD,
    ...more,
  })
