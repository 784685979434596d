import { incoming } from '../../store/calls.ts'
import { Lazy } from '../../ui/lazy.tsx'
import { callsPart } from './open-calls.ts'
import { dialog, minimised, ongoing, stage } from './state.ts'

/** The parts of calls that float above everything. */
export function CallHost() {
  return (
    <>
      {ongoing.value && minimised.value && stage.value !== 'call' && <Lazy of={callsPart} name="MiniCall" />}
      {incoming.value.length > 0 && <Lazy of={callsPart} name="IncomingCalls" />}
      {dialog.value && <Lazy of={callsPart} name="CallDialogs" />}
    </>
  )
}
