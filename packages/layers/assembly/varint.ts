/*
 * Variable-length integers: seven bits per byte, lowest first; the top bit of a byte is set if
 * another byte follows.
 */

/** Address of the next byte to read. */
export let readAt: usize = 0;
/** Address of the next byte to write. */
export let writeAt: usize = 0;

export function readFrom(at: usize): void {
  readAt = at;
}

export function writeTo(at: usize): void {
  writeAt = at;
}

// @ts-ignore: decorator
@inline
export function readByte(): u32 {
  return load<u8>(readAt++);
}

// @ts-ignore: decorator
@inline
export function writeByte(byte: u32): void {
  store<u8>(writeAt++, byte);
}

// @ts-ignore: decorator
@inline
export function readNumber(): u64 {
  let byte: u64 = load<u8>(readAt++);
  let value = byte & 127;
  for (let shift: u64 = 7; byte > 127; shift += 7) {
    byte = load<u8>(readAt++);
    value |= (byte & 127) << shift;
  }
  return value;
}

// @ts-ignore: decorator
@inline
export function writeNumber(value: u64): void {
  for (; value > 127; value >>= 7) store<u8>(writeAt++, <u8>(value | 128));
  store<u8>(writeAt++, <u8>value);
}
