import { useState } from "preact/hooks";
import type { ApiOperation, ApiParameter } from "../page.js";
import { Scroll } from "../ui/layout.js";
import { addressOf, curlOf, exampleOf, type Values } from "./request.js";
import { useRequest } from "./use-request.js";

/**
 * An example of a request as a curl command, and a form that sends it. Without scripts the form opens the answer to the
 * example, whose required parameters alone can then be changed.
 */
export function TryIt({
  operation,
  home,
  isLive,
}: {
  readonly operation: ApiOperation;
  readonly home: string;
  /** True if scripts run. */
  readonly isLive: boolean;
}) {
  const example = exampleOf(operation);
  const [values, setValues] = useState<Values>(example);
  const [body, setBody] = useState(operation.body?.example);
  const { sent, send, stop } = useRequest();
  const address = addressOf(operation, values);
  const { id, parameters } = operation;
  const submit = (event: Event) => {
    event.preventDefault();
    void send(address, operation.body && { ...operation.body, text: body ?? "" });
  };
  return (
    <>
      <pre class="command">
        <code>{curlOf(home, address, body)}</code>
      </pre>
      <form
        class="try"
        action={addressOf({ ...operation, parameters: [] }, example)}
        onSubmit={submit}
      >
        {parameters.map((parameter) => (
          <Field
            key={parameter.name}
            parameter={parameter}
            value={values[parameter.name] ?? ""}
            isLive={isLive}
            onChange={(value) => setValues({ ...values, [parameter.name]: value })}
          />
        ))}
        {body !== undefined && (
          <label class="body">
            <span>body</span>
            <textarea
              rows={3}
              disabled={!isLive}
              spellcheck={false}
              value={body}
              onInput={(event) => setBody(event.currentTarget.value)}
            />
          </label>
        )}
        <button type="submit" disabled={body !== undefined && !isLive} aria-label={`Send ${id}`}>
          Send
        </button>
        {sent?.isUnderWay && (
          <button type="button" onClick={stop}>
            Stop
          </button>
        )}
      </form>
      <p class="note" aria-live="polite">
        {sent?.summary}
      </p>
      {sent?.image && <img class="answer" src={sent.image} alt="The answer, as it was drawn" />}
      {sent && sent.text !== "" && (
        <Scroll label={`Answer of ${id}`}>
          <pre>
            <code>{sent.text}</code>
          </pre>
        </Scroll>
      )}
    </>
  );
}

/** The field of a parameter. Without scripts it is disabled unless a form can send it as the server expects it. */
function Field({
  parameter,
  value,
  isLive,
  onChange,
}: {
  readonly parameter: ApiParameter;
  readonly value: string;
  readonly isLive: boolean;
  readonly onChange: (value: string) => void;
}) {
  const { name, place, required, choices } = parameter;
  const common = {
    // A part of the path does not belong to the query.
    name: place === "query" ? name : undefined,
    value,
    disabled: !isLive && !(place === "query" && required),
    onInput: (event: InputEvent) =>
      onChange((event.currentTarget as HTMLInputElement | HTMLSelectElement).value),
  };
  if (choices.length === 0) {
    return (
      <label>
        <span>{name}</span>
        <input {...common} required={required} autocomplete="off" spellcheck={false} />
      </label>
    );
  }
  return (
    <label>
      <span>{name}</span>
      <select {...common}>
        {!required && <option value="">default</option>}
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    </label>
  );
}
