import { type RefObject, type SyntheticEvent, useState } from 'react'
import { useFocusHeir } from '../../lib/use-focus-heir.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { pictureLink } from './picture-link.ts'

type LinkImportProps = {
  /** One that was refused is mended, not typed again. */
  refused: string
  onLink: (url: string) => void
  onClose: () => void
  heir: RefObject<HTMLElement | null>
}

/** Where the address of a picture is typed or pasted, which on a telephone needs a field. */
export function LinkImport({ refused, onLink, onClose, heir }: LinkImportProps) {
  const place = useFocusHeir(heir)
  const [text, setText] = useState(refused)
  const [error, setError] = useState<string | undefined>()

  function send(event: SyntheticEvent) {
    event.preventDefault()
    const link = pictureLink(text)
    if (link === null) setError('Scrivi un indirizzo che comincia con https://')
    else onLink(link)
  }

  return (
    <div ref={place} className="flex flex-col gap-2">
      <TextField
        label="Indirizzo dell'immagine"
        type="url"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="https://"
        // It was asked for with the button before it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        value={text}
        error={error}
        onChange={({ target }) => {
          setText(target.value)
          setError(undefined)
        }}
        // It may stand in a form of another: Enter is for this field alone.
        onKeyDown={(event) => {
          if (event.key === 'Enter') send(event)
          if (event.key === 'Escape') onClose()
        }}
      />
      <div className="flex gap-2">
        <Button look="primary" onClick={send}>
          Importa
        </Button>
        <Button onClick={onClose}>Chiudi</Button>
      </div>
    </div>
  )
}
