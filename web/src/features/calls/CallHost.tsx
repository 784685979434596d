import { Lazy } from '../../ui/lazy.tsx'
import {
  CallDialogs,
  dialog,
  IncomingCalls,
  incoming,
  MiniCall,
  minimised,
  ongoing,
  stage,
} from './open-calls.ts'

/** The parts of calls that float above everything. */
export function CallHost() {
  return (
    <>
      {ongoing.value && minimised.value && stage.value !== 'call' && <Lazy of={MiniCall} />}
      {incoming.value.length > 0 && <Lazy of={IncomingCalls} />}
      {dialog.value && <Lazy of={CallDialogs} />}
    </>
  )
}
