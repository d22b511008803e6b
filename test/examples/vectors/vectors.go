package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

func init() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		if fields[0] == "digest" {
			body, _ := base64.StdEncoding.DecodeString(fields[3])
			fmt.Println(fields[1], isDigest(fields[2], body))
			continue
		}
		values, key := map[string]string{}, jwk{}
		json.Unmarshal([]byte(fields[2]), &values)
		json.Unmarshal([]byte(fields[5]), &key)
		fmt.Println(fields[1], isSigned(func(name string) string { return values[name] }, fields[3], fields[4], key))
	}
	os.Exit(0)
}
