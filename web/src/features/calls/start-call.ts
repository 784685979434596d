/**
 * Starting, joining and declining calls. The microphone opens first, so that nobody is rung by a caller who cannot
 * talk.
 */
import { batch } from '@preact/signals'
import type { RunningCallPayload } from '#shared/domain/payloads/calls.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { NoMedia } from '../../common/media-devices.ts'
import { strings } from '../../i18n/i18n.ts'
import { accept, initiate, join, partFrom } from '../../net/requests/call-endpoints.ts'
import { Failure } from '../../net/requests/endpoints.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { tabChannel } from '../../net/tabs/tab-channel.ts'
import { noteDeparture, noteOver, silenceRing } from '../../store/calls.ts'
import { channelOf, current } from '../../store/channels/channels.ts'
import { isDm, othersIn, plainName } from '../../store/channels/names.ts'
import { peekPerson } from '../../store/people/people.ts'
import { preferred } from '../../store/preferences/preferences.ts'
import { hashOf } from '../../store/route.ts'
import { privateChannels, viewer } from '../../store/store.ts'
import { announce, showToast } from '../../ui/feedback.ts'
import { Call, type Ending } from './call.ts'
import { showDeviceTrouble } from './device-trouble.ts'
import { isFinal, Signalling } from './signalling.ts'
import { dialog, minimised, ongoing, setOngoing, showConversationIfRoom, watched } from './state.ts'

/** From the header: starts a call, or joins the running one. */
export async function startOrShowCall(channel: ChannelId, camera: boolean) {
  if (ongoing.peek()?.channel === channel) return showCall()
  const members = isDm(channel) ? othersIn(channel) : channelOf(channel).members.peek()
  const expected = members.filter(name => peekPerson(name)?.kind !== 'bot')
  await begin(channel, camera, call => ring(call), { expected })
}

export async function answer(ring: RunningCallPayload, camera: boolean) {
  await begin(ring.channel, camera, call => enter(call, ring.call_id, accept))
}

/** Joins the running call of a channel; rings nobody if it has ended meanwhile. */
export async function joinCall({ channel, call_id }: RunningCallPayload) {
  await begin(channel, false, call => enter(call, call_id, join))
}

export async function decline({ call_id }: RunningCallPayload) {
  silenceRing(call_id)
  try {
    await partFrom(call_id, 'reject')
  } catch (error) {
    tolerateFailure(error)
  }
}

/** Back from the corner, beside the conversation if the viewer can read it. */
export function showCall() {
  const call = ongoing.peek()
  if (!call) return
  if (current.peek()?.id !== call.channel && canRead(call.channel)) location.hash = hashOf(call.channel)
  minimised.value = false
}

/** A person invited by name need not be a member of the call's channel. */
export const canRead = (channel: ChannelId) =>
  isDm(channel)
    ? channel.split(':').includes(viewer)
    : privateChannels.value.some(one => one.channel === channel)

async function begin(
  channel: ChannelId,
  camera: boolean,
  goOn: (call: Call) => Promise<void>,
  { expected = [] as Username[], withMicrophone = true } = {},
) {
  ongoing.peek()?.hangUp('leave')
  const call: Call = new Call(channel, ending => onOver(call, ending))
  call.expect(expected)
  batch(() => {
    setOngoing(call)
    watched.peek()?.close()
    showConversationIfRoom()
    showCall()
  })
  try {
    if (withMicrophone) await call.local.openMicrophone()
    if (camera || !preferred.startWithCameraOff.peek())
      await call.local.openCamera().catch(error => noCamera(error))
    if (ongoing.peek() !== call) return
    await goOn(call)
  } catch (error) {
    if (ongoing.peek() === call) call.hangUp('leave')
    if (error instanceof NoMedia) {
      const again = (withMicrophone: boolean) => () =>
        void begin(channel, camera, goOn, { expected, withMicrophone })
      showDeviceTrouble(error, again(true), error.trouble === 'insecure' ? undefined : again(false))
    } else if (error instanceof Failure) {
      showToast(strings.calls.notBegun(plainName(channel)), { icon: 'alert' })
    } else {
      throw error
    }
  }
}

function noCamera(error: unknown) {
  // The call goes on without video: the camera can be added later.
  if (!(error instanceof NoMedia)) throw error
  showDeviceTrouble(error)
}

async function ring(call: Call) {
  try {
    const { call_id, participants } = await initiate(call.channel, call.local.camera.peek() !== undefined)
    call.expect(participants)
    await joined(call, call_id, [], new Signalling(`calls/${call_id}`))
  } catch (error) {
    tolerateFailure(error)
    const going = error.status === 409 ? error.headers?.get('X-Call-Id') : undefined
    if (!going) throw error
    await enter(call, going, join)
  }
}

async function enter(call: Call, id: string, request: typeof accept | typeof join) {
  const signalling = new Signalling(`calls/${id}`)
  try {
    await signalling.skip()
    const { participants } = await request(id)
    await joined(call, id, participants, signalling)
  } catch (error) {
    if (!(error instanceof Failure) || !isFinal(error)) throw error
    call.hangUp('leave')
    // No longer a member here, or just declined on another device.
    const isRefused = error.status === 403 || /ring/.test(error.message)
    showToast(isRefused ? strings.calls.gone : strings.calls.isOver, { icon: 'info' })
  }
}

async function joined(call: Call, id: string, there: Username[], signalling: Signalling) {
  silenceRing(id)
  tabs.post({ call: id, session: call.session })
  await call.join(id, there, signalling)
}

/** Only one tab of a person holds the call: the last one that joined. */
const tabs = tabChannel<{ call: string; session: string }>(`bothy calls ${viewer}`)
tabs.listen(data => {
  const call = ongoing.peek()
  if (call && call.id.peek() === data.call && call.session !== data.session) call.giveWay()
})

function onOver(call: Call, ending: Ending) {
  if (ongoing.peek() !== call) return
  const name = plainName(call.channel)
  const id = call.id.peek() ?? ''
  if (ending === 'left') noteDeparture(id)
  else if (ending !== 'gone' && ending !== 'elsewhere') noteOver(id)
  batch(() => {
    setOngoing(undefined)
    minimised.value = false
    if (dialog.peek() === 'end for all' || dialog.peek() === 'add people') dialog.value = undefined
  })
  const text = {
    ended: strings.calls.ended(call.answeredTs.peek() ?? Date.now() / 1000, Date.now() / 1000),
    declined: strings.calls.declined(name),
    'no answer': strings.calls.noAnswer,
    gone: strings.calls.gone,
    elsewhere: strings.calls.elsewhere,
    left: undefined,
  }[ending]
  if (text === undefined) return
  showToast(text, { icon: 'phone-down' })
  announce(text)
}
