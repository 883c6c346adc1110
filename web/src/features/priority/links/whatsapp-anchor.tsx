import type { PriorityLink } from '@bancone/contract/priority'
import { Check, MessageCircle } from 'lucide-react'
import { useState } from 'react'
import { buttonStyle } from '../../../ui/button.tsx'

type WhatsAppAnchorProps = {
  link: PriorityLink
  /** Of the order, where there are several. */
  order?: string
  look: 'primary' | 'secondary'
}

/** Opens a WhatsApp chat with the message, which the user sends there. */
export function WhatsAppAnchor({ link, order, look }: WhatsAppAnchorProps) {
  const [opened, setOpened] = useState(false)
  const { whatsAppNumber, message } = link
  if (whatsAppNumber === null) {
    return <p className="text-sm text-muted">Senza numero per WhatsApp</p>
  }
  const Icon = opened ? Check : MessageCircle
  return (
    <a
      href={`https://wa.me/${whatsAppNumber}?text=${encodeURIComponent(message)}`}
      target="_blank"
      rel="noopener noreferrer"
      className={buttonStyle({ look: opened ? 'secondary' : look })}
      onClick={() => setOpened(true)}
    >
      <Icon aria-hidden />
      {opened ? 'WhatsApp aperto' : 'WhatsApp'}
      {order === undefined ? null : <span className="sr-only">, ordine {order}</span>}
    </a>
  )
}
