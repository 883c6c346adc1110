import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

const guard = { access: 'pharmacy', role: 'owner', feature: 'offers' } as const

/** What an owner accepts before customers see the fields. Another text needs another version, which has to be accepted anew. */
export const prescriptionTerms = {
  version: 1,
  paragraphs: [
    'Chi ordina dalla pagina delle offerte può aggiungere il numero della ricetta (NRE) e il codice fiscale. Arrivano in chiaro nel messaggio WhatsApp dell’ordine: Meta lo trasporta secondo le proprie condizioni.',
    'Sono dati sulla salute. Titolare del trattamento è la farmacia: ne informa i clienti, decide chi legge la chat ed elimina i codici che non servono più, anche dal telefono.',
    'La pagina controlla i codici sul telefono del cliente, e non li conserva né li manda a Bancone. Se poi il messaggio o l’ordine arriva in Bancone, Bancone lo tratta per conto della farmacia.',
    'I campi sono facoltativi: si ordina anche senza. Foto e documenti non vanno chiesti.',
  ],
} as const

/** Whether the public page has fields for the codes of a prescription; off until an owner has read what that means. */
export const PrescriptionFields = z.strictObject({ isOn: z.boolean() })
export type PrescriptionFields = z.infer<typeof PrescriptionFields>

export const getPrescriptionFields = endpoint({
  method: 'GET',
  path: '/api/pharmacy/prescription-fields',
  summary: 'Get whether the public page has fields for the codes of a prescription',
  ...guard,
  response: PrescriptionFields,
  errors: [],
})

export const changePrescriptionFields = endpoint({
  method: 'PUT',
  path: '/api/pharmacy/prescription-fields',
  summary:
    'Switch the fields for the codes of a prescription on, with the version of the terms read, or off',
  ...guard,
  audit: 'prescription_fields_changed',
  /** The version of the terms that the owner has read; null switches the fields off. */
  body: z.strictObject({ termsVersion: z.nullable(z.int()) }),
  response: PrescriptionFields,
  errors: ['whatsapp.other_terms'],
})
