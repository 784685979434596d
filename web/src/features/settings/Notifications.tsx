import { signal } from '@preact/signals'
import { useEffect, useId, useState } from 'preact/hooks'
import { chime } from '../../common/chime.ts'
import { mutedLabel, muteForAnHour, muteForever, muteUntilTomorrow, unmute } from '../../common/mute.ts'
import { strings } from '../../i18n/i18n.ts'
import { nameOf } from '../../store/names.ts'
import { isMuted, prefer, preferred } from '../../store/preferences.ts'
import { privateChannels, publicChannels } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { DeviceFoot, Line, Range, Segmented, SetRow, SwitchLine } from './rows.tsx'

type Permission = NotificationPermission | 'missing'
/** The permission may change in the browser's settings while this page is open. */
const permission = signal<Permission>('missing')
const look = () => {
  permission.value = 'Notification' in window && isSecureContext ? Notification.permission : 'missing'
}

export function Notifications({ close }: { close: () => void }) {
  const say = strings.notifications
  useEffect(() => {
    look()
    addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  }, [])
  return (
    <>
      <div class="settings-body">
        <SetRow title={say.device} more={say.deviceMore}>
          <Desktop />
          <SwitchLine
            title={say.text}
            more={say.textMore}
            on={preferred.desktopText.value}
            set={desktopText => prefer({ desktopText })}
          />
        </SetRow>
        <SetRow title={say.about} more={say.aboutMore}>
          <SwitchLine
            title={say.mentions}
            more={say.mentionsMore}
            on={preferred.desktopMentions.value}
            set={desktopMentions => prefer({ desktopMentions })}
          />
          <SwitchLine
            title={say.direct}
            on={preferred.desktopDirect.value}
            set={desktopDirect => prefer({ desktopDirect })}
          />
          <EveryMessage />
        </SetRow>
        <SetRow title={say.sound}>
          <SwitchLine title={say.sounds} on={preferred.sounds.value} set={sounds => prefer({ sounds })} />
          <SwitchLine
            title={say.callSounds}
            on={preferred.callSounds.value}
            set={callSounds => prefer({ callSounds })}
          />
          <Volume />
        </SetRow>
        <SetRow title={say.quiet}>
          <Quiet />
        </SetRow>
        <SetRow title={say.aloud} more={say.aloudMore}>
          <Segmented
            label={say.aloud}
            value={preferred.announcements.value}
            choices={(['all', 'mentions', 'none'] as const).map(value => ({
              value,
              label: say.announcements[value],
            }))}
            set={announcements => prefer({ announcements })}
          />
        </SetRow>
      </div>
      <DeviceFoot close={close} />
    </>
  )
}

function Desktop() {
  const say = strings.notifications
  const id = useId()
  const state = permission.value
  if (state !== 'granted') {
    const more = { default: say.notAsked, denied: say.denied, missing: say.missing }[state]
    return (
      <Line title={say.desktop} more={more}>
        {state === 'default' && (
          <button
            type="button"
            class="button"
            onClick={async () => {
              await Notification.requestPermission()
              look()
              if (permission.peek() === 'granted') prefer({ desktop: true })
            }}
          >
            {say.ask}
          </button>
        )}
      </Line>
    )
  }
  const on = preferred.desktop.value
  return (
    <div class="settings-line">
      <span>
        <b id={id}>{say.desktop}</b>
        <small>{say.granted}</small>
      </span>
      {on && (
        <button type="button" class="button" onClick={() => void sendTest()}>
          {say.test}
        </button>
      )}
      <button
        type="button"
        class="switch"
        role="switch"
        aria-checked={on}
        aria-labelledby={id}
        onClick={() => prefer({ desktop: !on })}
      />
    </div>
  )
}

async function sendTest() {
  const options = { body: strings.notifications.testBody, icon: '/icons/icon-192.png', tag: 'bothy test' }
  // Android allows notifications from service workers only.
  const worker = await navigator.serviceWorker?.getRegistration()
  if (worker) await worker.showNotification(strings.product, options)
  else new Notification(strings.product, options)
}

function EveryMessage() {
  const say = strings.notifications
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const chosen = new Set(preferred.everyMessageIn.value)
  const channels = [...publicChannels.value, ...privateChannels.value.map(one => one.channel)]
  return (
    <>
      <Line title={say.every}>
        <button
          type="button"
          class="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          <span class="visually-hidden">{say.every}</span>
          {say.channels(channels.filter(channel => chosen.has(channel)).length)}
          <Icon name={isOpen ? 'chev-up' : 'chev-down'} size={16} />
        </button>
      </Line>
      {isOpen && (
        <div id={id} class="settings-list" role="group" aria-label={say.every}>
          {channels.map(channel => (
            <label key={channel}>
              <input
                type="checkbox"
                checked={chosen.has(channel)}
                onChange={event => {
                  if (event.currentTarget.checked) chosen.add(channel)
                  else chosen.delete(channel)
                  prefer({ everyMessageIn: [...chosen] })
                }}
              />
              {nameOf(channel)}
            </label>
          ))}
        </div>
      )}
    </>
  )
}

function Volume() {
  const say = strings.notifications
  const volume = preferred.volume.value
  return (
    <Line title={say.volume}>
      <span class="settings-volume">
        <Range
          label={say.volume}
          value={volume}
          least={0}
          most={1}
          text={strings.myProfile.zoomed(Math.round(volume * 100))}
          set={next => prefer({ volume: next })}
        />
      </span>
      <button type="button" class="button" onClick={() => void chime(volume, preferred.speaker.value)}>
        {say.testSound}
      </button>
    </Line>
  )
}

function Quiet() {
  if (isMuted.value)
    return (
      <Line title={mutedLabel()}>
        <button type="button" class="button" onClick={unmute}>
          {strings.mute.unmute}
        </button>
      </Line>
    )
  return (
    <div class="settings-side">
      <button type="button" class="button" onClick={muteForAnHour}>
        <Icon name="bell-off" size={16} />
        {strings.mute.hour}
      </button>
      <button type="button" class="button" onClick={muteUntilTomorrow}>
        {strings.mute.tomorrow}
      </button>
      <button type="button" class="button" onClick={muteForever}>
        {strings.mute.forever}
      </button>
    </div>
  )
}
