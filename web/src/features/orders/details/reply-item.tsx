import type { ReplyText } from '@bancone/contract/reply-texts'
import { useRef, useState } from 'react'
import { focusFirstButton } from '../../../lib/focus-first-button.ts'
import { ItemButtons } from '../../../ui/removable-list.tsx'
import { ReplyTextForm } from './reply-text-form.tsx'
import type { WrittenReply } from './use-reply-texts.ts'

type ReplyItemProps = {
  text: ReplyText
  /** @throws when it could not be saved */
  onChange: (written: WrittenReply) => Promise<void>
  onRemove: () => void
}

export function ReplyItem({ text, onChange, onRemove }: ReplyItemProps) {
  const [editing, setEditing] = useState(false)
  const item = useRef<HTMLDivElement>(null)

  function end() {
    setEditing(false)
    focusFirstButton(item)
  }

  return (
    <div ref={item} className="rounded-control border border-line px-3 py-2">
      {editing ? (
        <ReplyTextForm
          written={text}
          onSave={async (written) => {
            await onChange(written)
            end()
          }}
          onCancel={end}
        />
      ) : (
        <div className="flex items-start justify-between gap-2">
          <div className="min-w-0 py-1">
            <p className="font-medium wrap-anywhere">{text.title}</p>
            <p className="line-clamp-2 text-sm text-muted wrap-anywhere">{text.text}</p>
          </div>
          <ItemButtons
            what={`il testo «${text.title}»`}
            onEdit={() => setEditing(true)}
            onRemove={onRemove}
          />
        </div>
      )}
    </div>
  )
}
