import { strings } from '../../../i18n/i18n.ts'
import { fileAddress } from '../../../net/requests/endpoints.ts'
import { tolerate } from '../../../store/device/tolerate.ts'
import { showToast } from '../../../ui/feedback.ts'

/** False without https, except on the server's own machine. */
export const canCopyPicture = () => typeof ClipboardItem === 'function' && navigator.clipboard !== undefined

/** Puts the first frame of a picture on the clipboard, as PNG: browsers take no other format. */
export async function copyPicture(filename: string) {
  try {
    // Safari needs the item within the event, and the bytes may follow.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(fileAddress(filename)) })])
    showToast(strings.viewer.copied, { icon: 'check' })
  } catch (error) {
    tolerate(error, DOMException, TypeError)
    showToast(strings.viewer.notCopied, { icon: 'alert' })
  }
}

async function pngOf(address: string): Promise<Blob> {
  const response = await fetch(address)
  if (!response.ok) throw new TypeError('no picture')
  const picture = await createImageBitmap(await response.blob())
  const canvas = document.createElement('canvas')
  canvas.width = picture.width
  canvas.height = picture.height
  canvas.getContext('2d')!.drawImage(picture, 0, 0)
  picture.close()
  return new Promise((resolve, reject) => {
    canvas.toBlob(blob => (blob ? resolve(blob) : reject(new TypeError('too large'))))
  })
}
