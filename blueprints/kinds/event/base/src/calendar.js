import { isWholeDay } from './event.js';

// A calendar file (RFC 5545). Its times have no zone, so that they are those of the place.
const HOURS = 5;
const digits = (date) => date.toISOString().replace(/[-:]|\.\d+/g, '');
const local = (date) => digits(new Date(date.getTime() - date.getTimezoneOffset() * 60_000)).replace('Z', '');
const escape = (text) => text.replace(/[\\;,]/g, '\\$&').replace(/\n/g, '\\n');

// A line has at most 75 octets, and a character at most four.
const fold = (line) => (new TextEncoder().encode(line).length > 75 ? line.match(/.{1,18}/gu).join('\r\n ') : line);

/** Returns an event of some hours, or of a day if it has no time, as a calendar file. */
export function toCalendar(event, begin, now = new Date()) {
  const { title, place } = event;
  const end = new Date(begin.getTime() + HOURS * 3_600_000);
  const time = isWholeDay(event)
    ? [`DTSTART;VALUE=DATE:${local(begin).slice(0, 8)}`]
    : [`DTSTART:${local(begin)}`, `DTEND:${local(end)}`];
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Invitation//EN',
    'BEGIN:VEVENT',
    `UID:${digits(now)}-${local(begin)}@invitation`,
    `DTSTAMP:${digits(now)}`,
    ...time,
    `SUMMARY:${escape(title)}`,
    `LOCATION:${escape(place)}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join('');
}
