import type { Milliseconds } from '#shared/domain/units.ts'

/** Browsers give up after about ten seconds. */
const PATIENCE: Milliseconds = 12_000
/** The code of `icecandidateerror` when the server does not respond. */
const NO_RESPONSE = 701

/**
 * True if the STUN server has answered this browser, false if it has not, undefined if the browser cannot tell: without
 * address translation it may leave the answer out.
 */
export async function answersStun(server: string): Promise<boolean | undefined> {
  if (!('RTCPeerConnection' in globalThis)) return undefined
  const peer = new RTCPeerConnection({ iceServers: [{ urls: server }] })
  try {
    return await new Promise<boolean | undefined>((resolve, reject) => {
      setTimeout(() => resolve(undefined), PATIENCE)
      let hasError = false
      peer.onicecandidateerror = ({ errorCode }) => {
        hasError ||= errorCode === NO_RESPONSE
      }
      peer.onicecandidate = ({ candidate }) => {
        if (candidate?.type === 'srflx') resolve(true)
        else if (candidate === null) resolve(hasError ? false : undefined)
      }
      peer.createDataChannel('check')
      peer
        .createOffer()
        .then(offer => peer.setLocalDescription(offer))
        .catch(reject)
    })
  } catch {
    return undefined
  } finally {
    peer.close()
  }
}
