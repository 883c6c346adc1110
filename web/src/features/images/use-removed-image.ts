import { removeImage } from '@bancone/contract/images'
import { useEffect, useEffectEvent, useState } from 'react'
import { call } from '../../lib/api.ts'
import { useUndoableRemoval } from '../../lib/use-undoable-removal.ts'
import { dismissToast } from '../../ui/toast.ts'
import type { ChosenImage } from './chosen-image.ts'

/** Id of a picture uploaded for this field; empty for pictures of the shared archive and of the provider. */
function ownId({ source, publicId }: ChosenImage): string {
  return source === 'manual' && publicId !== null ? publicId : ''
}

/**
 * The removed picture while undo is possible and no other has replaced it. Afterwards it is deleted, if it was
 * uploaded here.
 */
export function useRemovedImage(
  shown: ChosenImage | null,
  onChange: (image: ChosenImage | null) => void,
) {
  const [last, setLast] = useState<ChosenImage | null>(null)
  const { isUndoable, removeLater, undo } = useUndoableRemoval(async (publicId) => {
    if (publicId === '') return
    // A picture in use stays; what could not be deleted now is cleaned up by the server.
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
      removeLater(ownId(image))
      onChange(null)
    },
    undo() {
      undo()
      onChange(last)
    },
  }
}
