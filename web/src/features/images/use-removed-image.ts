import { removeImage } from '@bancone/contract/images'
import { useEffect, useEffectEvent, useState } from 'react'
import { call } from '../../lib/api.ts'
import { useRemoval } from '../../lib/use-removal.ts'
import { dismissToast } from '../../ui/toast.ts'
import type { ChosenImage } from './chosen-image.ts'

/**
 * The id of a picture that somebody sent for this place; empty for one of the archive, which is for others
 * too, and for a provider's, which is not ours.
 */
function ownId({ source, publicId }: ChosenImage): string {
  return source === 'manual' && publicId !== null ? publicId : ''
}

/**
 * The picture that was taken away, for as long as that can be undone and no other has come in its place; then
 * it is removed, if it was sent here.
 */
export function useRemovedImage(
  shown: ChosenImage | null,
  onChange: (image: ChosenImage | null) => void,
) {
  const [last, setLast] = useState<ChosenImage | null>(null)
  const { isUndoable, take, undo } = useRemoval(async (publicId) => {
    if (publicId === '') return
    // What is still shown somewhere stays, and what could not be removed now is cleared away by the server.
    await call(removeImage, { params: { publicId } }).catch(() => undefined)
  })
  const forget = useEffectEvent(undo)
  useEffect(() => {
    if (shown !== null) forget()
  }, [shown])

  return {
    image: last && isUndoable(ownId(last)) ? last : null,
    take(image: ChosenImage) {
      dismissToast('image')
      setLast(image)
      take(ownId(image))
      onChange(null)
    },
    undo() {
      undo()
      onChange(last)
    },
  }
}
