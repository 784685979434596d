import { useEffect, useRef } from 'preact/hooks'
import {
  canChooseSpeaker,
  canShareScreen,
  chooseDevice,
  chosenDevice,
  devices,
  type Kind,
  listDevices,
} from '../../common/media-devices.ts'
import { strings } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/Icon.tsx'
import { MenuItems } from '../../ui/Menu.tsx'
import { openPopover } from '../../ui/Popover.tsx'
import type { Call } from './call.ts'
import { EndControls } from './EndControls.tsx'
import { attempt, toggleCamera, toggleMicrophone } from './keys.ts'
import { useSpeaker } from './sound.ts'
import { dialog } from './state.ts'
import './Controls.css'

/** A toolbar: one Tab stop, arrows inside (ui.md 7). */
export function Controls({ call }: { call: Call }) {
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const buttons = buttonsIn(bar.current!)
    const stop =
      buttons.find(button => button.tabIndex === 0 && button === document.activeElement) ?? buttons[0]
    for (const button of buttons) button.tabIndex = button === stop ? 0 : -1
  })
  const { local, levels } = call
  const muted = local.muted.value || !local.microphone.value
  const camera = local.camera.value !== undefined
  const sharing = local.screen.value !== undefined
  return (
    <div
      class="call-controls"
      ref={bar}
      role="toolbar"
      aria-label={strings.calls.controls}
      onKeyDown={onArrow}
      onFocusIn={event => {
        for (const button of buttonsIn(bar.current!)) button.tabIndex = button === event.target ? 0 : -1
      }}
    >
      <span class={`call-control-group${muted ? ' is-off' : ''}`}>
        <Control
          icon={muted ? 'mic-off' : 'mic'}
          label={muted ? strings.calls.unmute : strings.calls.mute}
          keys="Control+D"
          run={() => toggleMicrophone(call)}
        >
          {!muted && (
            <span class="call-control-level">
              <i style={{ 'inline-size': `${levels.own.value * 100}%` }} />
            </span>
          )}
        </Control>
        <MoreButton label={strings.calls.chooseMicrophone} open={anchor => openSoundMenu(anchor, call)} />
      </span>
      <span class={`call-control-group${camera ? '' : ' is-off'}`}>
        <Control
          icon={camera ? 'video' : 'video-off'}
          label={camera ? strings.calls.cameraOff : strings.calls.cameraOn}
          keys="Control+E"
          run={() => toggleCamera(call)}
        />
        <MoreButton label={strings.calls.chooseCamera} open={anchor => openCameraMenu(anchor, call)} />
      </span>
      {canShareScreen() && call.id.value && (
        <Control
          icon="screen"
          label={sharing ? strings.calls.shareStop : strings.startCall.share}
          on={sharing}
          run={() => (sharing ? void call.stopSharing() : attempt(() => call.share()))}
        />
      )}
      {call.id.value && (
        <Control
          icon="user-plus"
          label={strings.calls.addPeople}
          run={() => {
            dialog.value = 'add people'
          }}
        />
      )}
      <EndControls call={call} />
    </div>
  )
}

interface ControlProps {
  icon: string
  label: string
  keys?: string
  on?: boolean
  run: () => void
  children?: preact.ComponentChildren
}

function Control({ icon, label, keys, on, run, children }: ControlProps) {
  return (
    <button
      type="button"
      class={`call-control${on ? ' is-on' : ''}`}
      aria-label={label}
      title={keys ? `${label} (${keys.replace('Control', 'Ctrl')})` : label}
      aria-keyshortcuts={keys}
      onClick={run}
    >
      <Icon name={icon} size={20} />
      {children}
    </button>
  )
}

function MoreButton({ label, open }: { label: string; open: (anchor: HTMLElement) => void }) {
  return (
    <button
      type="button"
      class="call-control"
      aria-label={label}
      title={label}
      aria-haspopup="menu"
      onClick={event => open(event.currentTarget)}
    >
      <Icon name="chev-up" size={14} />
    </button>
  )
}

function openSoundMenu(anchor: HTMLElement, call: Call) {
  void listDevices()
  openPopover(
    anchor,
    strings.calls.chooseMicrophone,
    close => (
      <>
        <DeviceList
          kind="microphone"
          of="audioinput"
          close={close}
          onChosen={() => attempt(() => call.local.openMicrophone())}
        />
        {canChooseSpeaker() && (
          <DeviceList kind="speaker" of="audiooutput" close={close} onChosen={() => void useSpeaker()} />
        )}
      </>
    ),
    { role: 'menu' },
  )
}

function openCameraMenu(anchor: HTMLElement, call: Call) {
  void listDevices()
  openPopover(
    anchor,
    strings.calls.chooseCamera,
    close => (
      <DeviceList
        kind="camera"
        of="videoinput"
        close={close}
        onChosen={() => call.local.camera.peek() && attempt(() => call.local.openCamera())}
      />
    ),
    { role: 'menu' },
  )
}

interface DeviceListProps {
  kind: Kind
  of: MediaDeviceKind
  close: () => void
  onChosen: () => void
}

function DeviceList({ kind, of, close, onChosen }: DeviceListProps) {
  const found = devices.value.filter(device => device.kind === of && device.deviceId !== '')
  const chosen = chosenDevice(kind)
  const isThere = found.some(({ deviceId }) => deviceId === chosen)
  const items = [
    { label: strings.calls.usual, id: '', checked: !isThere },
    ...found
      .filter(({ deviceId }) => deviceId !== 'default' && deviceId !== 'communications')
      .map(({ label, deviceId }, at) => ({
        label: label || strings.calls.unnamed(strings.calls[kind], at + 1),
        id: deviceId,
        checked: deviceId === chosen,
      })),
  ]
  return (
    <div role="group" aria-label={strings.calls[kind]}>
      <div class="popover-title" aria-hidden="true">
        {strings.calls[kind]}
      </div>
      <MenuItems
        close={close}
        items={items.map(({ label, id, checked }) => ({
          label,
          checked,
          run: () => {
            chooseDevice(kind, id)
            onChosen()
          },
        }))}
      />
    </div>
  )
}

const buttonsIn = (bar: HTMLElement) =>
  [...bar.querySelectorAll<HTMLButtonElement>('button')].filter(button => button.offsetParent !== null)

function onArrow(event: KeyboardEvent) {
  const forward =
    getComputedStyle(event.currentTarget as HTMLElement).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  const step = event.key === forward ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowRight' ? -1 : 0
  const buttons = buttonsIn(event.currentTarget as HTMLElement)
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
  const next =
    event.key === 'Home'
      ? 0
      : event.key === 'End'
        ? buttons.length - 1
        : (at + step + buttons.length) % buttons.length
  if (step === 0 && event.key !== 'Home' && event.key !== 'End') return
  event.preventDefault()
  buttons[next]?.focus()
}
