/** Adds to the demo data what people pin, save, send later, attach and edit. */
import type { Person } from '#shared/test-kit/person.ts'
import { zipOf } from '#shared/test-kit/zip.ts'
import { CALLER, VIEWER } from './demo-data.ts'

const HOUR = 3_600

export async function seedMessages(
  people: Map<string, Person>,
  admin: (sql: string) => Promise<unknown>,
): Promise<void> {
  const by = (name: string) => people.get(name)!
  const viewer = by(VIEWER)
  const rows = await viewer.messages('engineering')
  const idOf = (text: string) => rows.find(row => row.content?.startsWith(text))!.id
  await by(CALLER).fetch(`/pin/${idOf('Rev C boards')}`, { method: 'PUT' })
  await viewer.fetch(`/pin/${idOf('Yes. The watchdog')}`, { method: 'PUT' })

  await viewer.putJson(`/saved/${idOf('Notes from the north')}`, { note: 'Read before the review' })
  await viewer.putJson(`/saved/${idOf('All three say')}`, {})
  await viewer.putJson(`/saved/${idOf('Bench rig')}`, { remind_in_minutes: 60 })
  await viewer.putJson(`/saved/${idOf('Overnight soak')}`, { remind_in_minutes: 20 })
  await admin(
    `update saved set remind_ts = remind_ts - 2400 where note is null and message_id = ${idOf('Overnight soak')}`,
  )
  await viewer.putJson(`/saved/${idOf('I can take four')}`, {})
  await viewer.patchJson(`/saved/${idOf('I can take four')}`, { done: true })

  const soak = idOf('Overnight soak')
  await viewer.send('engineering', 'Which of them were on the old antenna?', { reply_to_id: String(soak) })
  await by('li-wen').send('engineering', 'Two of three.', { reply_to_id: String(soak) })
  await viewer.send('engineering', 'Then the third is the one to open.', {
    reply_to_id: String(idOf('All three say')),
  })

  const now = Math.round(Date.now() / 1_000)
  for (const [channel, text, hours] of [
    ['engineering', 'Reminder: core hours over the holidays are 10 to 14.', 20],
    ['dm:maya:tomasz', 'Shall we walk through the soak now?', 2],
    ['off-topic', 'The kayak leaves the stairwell today.', 70],
  ] as const)
    await viewer.postJson('/scheduled', { channel, text, send_ts: now + hours * HOUR })
  const failed = await viewer.postJson('/scheduled', {
    channel: 'design',
    text: 'The label is 4 mm wider.',
    send_ts: now + HOUR,
  })
  const { id } = (await failed.json()) as { id: number }
  await admin(
    `update scheduled set state = 'failed', failed_why = 'archived', ended_ts = ${now}, send_ts = ${now - 2 * HOUR} where id = ${id}`,
  )

  await by('ines-r').sendFiles('engineering', [
    { name: 'Gauge readings week 47.xlsx', bytes: 'PK\u0003\u0004' },
    { name: 'Rev C antenna – mounting plan.pdf', bytes: '%PDF-1.4\n%%EOF\n' },
    { name: 'uplink.log', bytes: '03:00:12 modem: attach\n'.repeat(400) },
  ])

  await by('ines-r').sendFiles('field-ops', [
    { name: 'pump.wav', bytes: pump() },
    {
      name: 'gauge-fw-2.4-rc2.zip',
      bytes: zipOf(
        ['bin', 'map', 'elf', 'txt', 'sig', 'cfg', 'log'].map(end => [`gauge-fw.${end}`, 'x'.repeat(4_000)]),
      ),
    },
  ])
  await viewer.putJson('/drafts/engineering', {
    text: 'No. It is the change I was waiting for',
    thread_id: soak,
    updated_ts: now,
  })

  await viewer.patchJson('/admin/settings', { keep_edits: true })
  const draft = await by('sanna').send('off-topic', 'Round three ships on Monday with the old clamp')
  await admin(`update messages set ts = ts - 600 where id = ${draft}`)
  await by('sanna').edit(draft, 'Round three ships on Tuesday with the old clamp')
  await by('sanna').edit(draft, 'Round three ships on Tuesday with the new clamp')
}

/** Two new replies in a thread that the viewer follows, one of which names the viewer. */
export async function talkInThread(people: Map<string, Person>): Promise<void> {
  const rows = await people.get(VIEWER)!.messages('engineering')
  const reply_to_id = String(rows.find(row => row.content?.startsWith('Overnight soak'))!.id)
  const say = (name: string, text: string) => people.get(name)!.send('engineering', text, { reply_to_id })
  await say('okonkwo', 'Fine by me for rc2, if the reason still lands in flash before the reset.')
  await say('li-wen', `It does. @${VIEWER} does that change what you sign off?`)
}

/** A sound of a second that swells. */
function pump(): Uint8Array {
  const samples = 8_000
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(samples, 24)
  header.writeUInt32LE(samples, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples, 40)
  const tone = Array.from(
    { length: samples },
    (_, at) => 128 + Math.round(120 * Math.sin(at / 5) * Math.sin((Math.PI * at) / samples)),
  )
  return new Uint8Array(Buffer.concat([header, Buffer.from(tone)]))
}
