// Package wharf starts `wharf dev` for the tests of a Go program. See README.md.
package wharf

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Wharf is a running service.
type Wharf struct{ URL string }

// Start runs the program in WHARF_BIN, otherwise wharf on the PATH, until the test ends or this process does. With WHARF_URL it
// starts nothing and uses the service that runs there. The seed is 1 unless the arguments for `wharf dev` name another.
func Start(t testing.TB, arguments ...string) *Wharf {
	t.Helper()
	if url := os.Getenv("WHARF_URL"); url != "" {
		return &Wharf{strings.TrimRight(url, "/")}
	}
	program := os.Getenv("WHARF_BIN")
	if program == "" {
		program = "wharf"
	}
	arguments = append([]string{"dev", "--memory", "--port", "0", "--seed", "1", "--json", "--until-stdin-ends"}, arguments...)
	command := exec.Command(program, arguments...)
	var output bytes.Buffer
	command.Stderr = &output
	stdin, _ := command.StdinPipe()
	stdout, _ := command.StdoutPipe()
	if err := command.Start(); err != nil {
		t.Fatalf("%v. Set WHARF_BIN to the path of the program.", err)
	}
	timer := time.AfterFunc(30*time.Second, func() { command.Process.Kill() })
	w := &Wharf{}
	err := json.NewDecoder(stdout).Decode(w)
	timer.Stop()
	if err != nil || w.URL == "" {
		command.Process.Kill()
		command.Wait()
		t.Fatalf("%s did not start:\n%s", command, &output)
	}
	t.Cleanup(func() { stdin.Close(); command.Wait() })
	return w
}

// Reset puts everything back to the start: data, seed, clock, faults and log.
func (w *Wharf) Reset(t testing.TB) {
	t.Helper()
	w.Call(t, "POST", "/reset", nil, nil)
}

// Advance lets time pass at once. It returns when everything that fell due has run.
func (w *Wharf) Advance(t testing.TB, by time.Duration) {
	t.Helper()
	w.Call(t, "POST", "/clock", map[string]any{"advance_seconds": by.Seconds()}, nil)
}

// Fault lets requests fail: Fault(t, map[string]any{"route": "POST /api/jobs", "status": 503, "times": 2}).
func (w *Wharf) Fault(t testing.TB, fault map[string]any) {
	t.Helper()
	w.Call(t, "POST", "/faults", fault, nil)
}

// Call makes a call below /_dev and decodes its answer into `answer`, unless that is nil.
func (w *Wharf) Call(t testing.TB, method, path string, body map[string]any, answer any) {
	t.Helper()
	text, _ := json.Marshal(body)
	request, _ := http.NewRequest(method, w.URL+"/_dev"+path, bytes.NewReader(text))
	request.Header.Set("content-type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, _ = io.ReadAll(response.Body)
	if response.StatusCode != http.StatusOK && response.StatusCode != http.StatusCreated {
		t.Fatalf("%s /_dev%s: %s: %s", method, path, response.Status, text)
	}
	if answer != nil {
		if err := json.Unmarshal(text, answer); err != nil {
			t.Fatal(err)
		}
	}
}
