import type { NewTemplate, OutgoingMessage } from '../../ports/whatsapp-business.ts'

export const LANGUAGE = 'it'

const texts = (values: readonly string[]) => values.map((text) => ({ type: 'text', text }))

/** The body of the request that creates a template. Its category is not to be changed by Meta. */
export function templateBody({ name, body, samples, button }: NewTemplate): object {
  return {
    name,
    language: LANGUAGE,
    category: 'UTILITY',
    allow_category_change: false,
    components: [
      { type: 'BODY', text: body, example: { body_text: [samples] } },
      ...(button
        ? [
            {
              type: 'BUTTONS',
              buttons: [
                {
                  type: 'URL',
                  text: button.label,
                  url: `${button.url}{{1}}`,
                  example: [button.url + button.sample],
                },
              ],
            },
          ]
        : []),
    ],
  }
}

/** The body of the request that sends a message. A person whose number is hidden is named by the user id. */
export function messageBody({ reference, phone, userId, content }: OutgoingMessage): object {
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...(phone === null ? { recipient: userId } : { to: phone.replace('+', '') }),
    biz_opaque_callback_data: reference,
    ...('text' in content
      ? { type: 'text', text: { body: content.text, preview_url: false } }
      : { type: 'template', template: templateOf(content) }),
  }
}

function templateOf(content: Extract<OutgoingMessage['content'], { template: string }>): object {
  const { template: name, values, buttonValue } = content
  return {
    name,
    language: { code: LANGUAGE },
    components: [
      { type: 'body', parameters: texts(values) },
      ...(buttonValue === undefined
        ? []
        : [{ type: 'button', sub_type: 'url', index: '0', parameters: texts([buttonValue]) }]),
    ],
  }
}
